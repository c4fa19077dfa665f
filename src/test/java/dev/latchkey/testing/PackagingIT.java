package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** The published jars and POM hold the library and nothing of the service. */
class PackagingIT {

  private static final Path TARGET = Path.of(System.getProperty("latchkey.jar")).getParent();
  private static final Path SERVICE = TARGET.resolve("latchkey.jar");
  private static final Path LIBRARY = TARGET.resolve("latchkey-0.1.0.jar");
  private static final Path SOURCES = TARGET.resolve("latchkey-0.1.0-sources.jar");
  private static final Path JAVADOC = TARGET.resolve("latchkey-0.1.0-javadoc.jar");
  private static final Path TESTKIT = TARGET.resolve("latchkey-0.1.0-store-testkit.jar");
  private static final String LIBRARY_FILE = "dev/latchkey/(client|web|core|json|net|store)/.*";

  @Test
  void libraryJarHoldsTheLibraryAlone() throws IOException {
    assertThat(entries(LIBRARY))
        .allMatch(entry -> entry.matches(LIBRARY_FILE))
        .contains(
            "dev/latchkey/web/IdempotencyHandler.class",
            "dev/latchkey/store/postgres/migration/V1__keys.sql");
  }

  @Test
  void sourcesJarHoldsTheFilesOfTheLibraryJar() throws IOException {
    Set<String> expected =
        entries(LIBRARY).stream()
            .filter(entry -> !entry.contains("$"))
            .map(entry -> entry.replaceFirst("\\.class$", ".java"))
            .collect(Collectors.toSet());
    assertThat(entries(SOURCES)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void javadocJarDescribesThePublicTypesOfTheLibraryAlone() throws IOException {
    Set<String> expected = new TreeSet<>();
    for (JavaClass type : classes(LIBRARY)) {
      if (type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC)) {
        expected.add(type.getName().replace('.', '/') + ".html");
      }
    }
    Set<String> pages = entries(JAVADOC);
    assertThat(expected).contains("dev/latchkey/web/IdempotencyHandler.html");
    assertThat(pages).contains("index.html").containsAll(expected);
    assertThat(pages)
        .filteredOn(page -> page.startsWith("dev/"))
        .allMatch(page -> page.matches(LIBRARY_FILE));
  }

  @Test
  void libraryNeedsNoClassOutsideItsJar() throws IOException {
    assertThat(missing(LIBRARY)).isEmpty();
  }

  @Test
  void serviceJarHoldsEverything() throws IOException {
    assertThat(entries(SERVICE))
        .containsAll(entries(LIBRARY))
        .contains(
            "dev/latchkey/Main.class",
            "META-INF/services/ch.qos.logback.classic.spi.Configurator",
            "dev/latchkey/ledger/postgres/migration/V1__ledger.sql")
        .noneMatch(entry -> entry.matches("dev/latchkey/.*Test.class"));
  }

  @Test
  void testkitNeedsTheLibraryAlone() throws IOException {
    assertThat(entries(TESTKIT))
        .contains("dev/latchkey/store/StoreContractTest.class")
        .filteredOn(entry -> !entry.startsWith("dev/latchkey/store/"))
        .containsExactly("dev/latchkey/testing/Await.class");
    assertThat(entries(TESTKIT))
        .filteredOn(entry -> entry.endsWith("Test.class"))
        .containsExactly("dev/latchkey/store/StoreContractTest.class");
    assertThat(missing(LIBRARY, TESTKIT)).isEmpty();
  }

  @Test
  void publishedPomNamesWhatTheLibraryNeeds() throws Exception {
    assertThat(dependencies(false))
        .containsExactlyInAnyOrder(
            "vertx-core",
            "vertx-web",
            "jackson-databind",
            "structured-fields",
            "caffeine",
            "slf4j-api",
            "jspecify");
    assertThat(dependencies(true))
        .containsExactlyInAnyOrder(
            "vertx-pg-client",
            "vertx-redis-client",
            "scram-client",
            "flyway-database-postgresql",
            "postgresql",
            "micrometer-core");
    assertThat(pom().getElementsByTagName("profiles").getLength()).isZero();
  }

  private static Set<String> entries(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Set<String> names = new TreeSet<>();
      file.stream()
          .filter(entry -> !entry.isDirectory())
          .map(ZipEntry::getName)
          .forEach(names::add);
      names.remove(JarFile.MANIFEST_NAME);
      return names;
    }
  }

  /** Returns the classes of ours that classes in these jars refer to and the jars do not hold. */
  private static Set<String> missing(Path... jars) throws IOException {
    Set<String> held = new TreeSet<>();
    for (Path jar : jars) {
      held.addAll(entries(jar));
    }
    Set<String> missing = new TreeSet<>();
    for (JavaClass type : classes(jars)) {
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        String name = dependency.getTargetClass().getBaseComponentType().getName();
        boolean isOurs = name.startsWith("dev.latchkey.");
        if (isOurs && !held.contains(name.replace('.', '/') + ".class")) {
          missing.add(type.getName() + " -> " + name);
        }
      }
    }
    return missing;
  }

  private static JavaClasses classes(Path... jars) throws IOException {
    List<JarFile> files = new ArrayList<>();
    for (Path jar : jars) {
      files.add(new JarFile(jar.toFile()));
    }
    JavaClasses classes = new ClassFileImporter().importJars(files);
    for (JarFile file : files) {
      file.close();
    }
    assertThat(classes).isNotEmpty();
    return classes;
  }

  private static List<String> dependencies(boolean optional) throws Exception {
    var nodes = pom().getElementsByTagName("dependency");
    return Stream.iterate(0, i -> i + 1)
        .limit(nodes.getLength())
        .map(i -> (Element) nodes.item(i))
        .filter(it -> (it.getElementsByTagName("optional").getLength() > 0) == optional)
        .map(it -> it.getElementsByTagName("artifactId").item(0).getTextContent())
        .toList();
  }

  private static Document pom() throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(TARGET.resolve("published-pom.xml").toFile());
  }
}
