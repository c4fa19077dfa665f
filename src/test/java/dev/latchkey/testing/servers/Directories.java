package dev.latchkey.testing.servers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The servers' directories and files. */
final class Directories {

  private Directories() {}

  /** Makes a directory among the temporary ones. */
  static Path temporary(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new AssertionError("cannot make a directory", e);
    }
  }

  /** Writes a file that its owner alone can read. */
  static void writePrivate(Path file, String content) {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(file, content.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new AssertionError("cannot write " + file, e);
    }
  }

  /** Deletes a directory with all that is in it; one that is not there is fine. */
  static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(directory)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new AssertionError("cannot delete " + directory, e);
    }
  }
}
