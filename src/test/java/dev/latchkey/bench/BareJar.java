package dev.latchkey.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Packs Vert.x Web and what it needs, out of the service's fat jar, with one small application. */
final class BareJar {

  private static final List<String> KEPT =
      List.of(
          "io/vertx/core/",
          "io/vertx/ext/web/",
          "io/vertx/ext/auth/",
          "io/vertx/codegen/",
          "io/netty/",
          "com/fasterxml/jackson/core/",
          "META-INF/native/",
          "META-INF/vertx/");

  private BareJar() {}

  static Path pack(Path fatJar) throws IOException {
    Path bare = Files.createTempFile("bare-vertx", ".jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, BareVertxMain.class.getName());
    manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
    String main = BareVertxMain.class.getName().replace('.', '/') + ".class";
    try (JarFile from = new JarFile(fatJar.toFile());
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(bare), manifest)) {
      for (Enumeration<JarEntry> all = from.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (!entry.isDirectory() && isKept(entry.getName())) {
          try (InputStream content = from.getInputStream(entry)) {
            put(to, entry.getName(), content.readAllBytes());
          }
        } else if (entry.getName().startsWith("META-INF/services/io.vertx.core")) {
          try (InputStream content = from.getInputStream(entry)) {
            put(to, entry.getName(), providers(from, content.readAllBytes()));
          }
        }
      }
      try (InputStream content = BareJar.class.getResourceAsStream("/" + main)) {
        put(to, main, content.readAllBytes());
      }
    }
    return bare;
  }

  private static boolean isKept(String name) {
    String plain = name.replaceFirst("^META-INF/versions/\\d+/", "");
    return KEPT.stream().anyMatch(plain::startsWith);
  }

  /** Those providers whose classes come along. */
  private static byte[] providers(JarFile from, byte[] lines) {
    StringBuilder kept = new StringBuilder();
    for (String line : new String(lines, StandardCharsets.UTF_8).split("\n")) {
      String file = line.strip().replace('.', '/') + ".class";
      if (from.getEntry(file) != null && isKept(file)) {
        kept.append(line.strip()).append('\n');
      }
    }
    return kept.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void put(JarOutputStream to, String name, byte[] content) throws IOException {
    to.putNextEntry(new JarEntry(name));
    to.write(content);
    to.closeEntry();
  }
}
