package dev.latchkey.testing.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/**
 * The servers' binaries, unpacked once per version into the directory of temporary files, where
 * later test runs find them again.
 */
final class Binaries {

  private Binaries() {}

  /** Returns the directory that holds Postgres' {@code bin}, {@code lib} and {@code share}. */
  static Path postgres() {
    byte[] archive = resource(postgresArchive());
    return unpacked("postgres-" + sha256(archive).substring(0, 16), into -> untar(archive, into));
  }

  /** Returns the major version of the Postgres on the class path, such as {@code 17}. */
  static String postgresMajorVersion() {
    String jar = String.valueOf(Binaries.class.getResource("/" + postgresArchive()));
    Matcher version = Pattern.compile("-([0-9]+)\\.[0-9.]+\\.jar!").matcher(jar);
    if (!version.find()) {
      throw new AssertionError("no version in " + jar);
    }
    return version.group(1);
  }

  private static String postgresArchive() {
    return "postgres-" + platform("arm_64", "x86_64") + ".txz";
  }

  /** Returns the Redis server's program. */
  static Path redis() {
    RedisProgram known = RedisProgram.onClassPath(platform("arm64", "amd64"));
    byte[] program = resource(known.name());
    String sum = sha256(program);
    if (!sum.equals(known.sha256())) {
      throw new AssertionError(known + " has the SHA-256 " + sum + " instead");
    }
    return unpacked("redis-" + sum.substring(0, 16), into -> write(program, into))
        .resolve("redis-server");
  }

  /** Returns the version of the Redis on the class path, such as {@code 7.0.9}. */
  static String redisVersion() {
    return RedisProgram.onClassPath(platform("arm64", "amd64")).version();
  }

  private interface Unpacking {
    void into(Path directory) throws IOException;
  }

  private static Path unpacked(String name, Unpacking unpacking) {
    try {
      Path home = Path.of(System.getProperty("java.io.tmpdir"));
      Path all = home.resolve("latchkey-servers-" + System.getProperty("user.name"));
      Files.createDirectories(all);
      if (!Files.getOwner(all).getName().equals(System.getProperty("user.name"))) {
        throw new AssertionError(all + " belongs to " + Files.getOwner(all) + ": not run from it");
      }
      Path directory = all.resolve(name);
      if (Files.isDirectory(directory)) {
        return directory;
      }
      Path fresh = Files.createTempDirectory(all, "unpacking");
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
      unpacking.into(fresh);
      moveUnlessThere(fresh, directory);
      return directory;
    } catch (IOException e) {
      throw new AssertionError("cannot unpack " + name, e);
    }
  }

  private static void moveUnlessThere(Path fresh, Path directory) throws IOException {
    try {
      Files.move(fresh, directory);
    } catch (FileSystemException e) {
      // Another JVM was quicker.
      if (!Files.isDirectory(directory)) {
        throw e;
      }
      Directories.delete(fresh);
    }
  }

  private static void write(byte[] program, Path into) throws IOException {
    Path file = into.resolve("redis-server");
    Files.write(file, program);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void untar(byte[] archive, Path into) throws IOException {
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new BufferedInputStream(
                new XZCompressorInputStream(new ByteArrayInputStream(archive))))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("the archive leaves its directory: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else if (entry.isSymbolicLink()) {
          Files.createDirectories(target.getParent());
          Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(tar, target);
          boolean program = (entry.getMode() & 0100) != 0;
          Files.setPosixFilePermissions(
              target, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
      }
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in = Binaries.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new AssertionError("the class path lacks " + name + " (-Dpostgres.platform?)");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError("cannot read " + name, e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String platform(String arm, String intel) {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    boolean isArm = System.getProperty("os.arch").equals("aarch64");
    return (name.contains("mac") ? "darwin-" : "linux-") + (isArm ? arm : intel);
  }
}
