package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page of threats names tests that exist. */
class SecurityPageTest {

  private static final Pattern NAME = Pattern.compile("`(\\w+(?:Test|IT|Contract))`");

  @Test
  void everyNamedTestExists() throws IOException {
    Set<String> tests;
    try (var files = Files.walk(Path.of("src/test/java"))) {
      tests =
          files
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
    }
    Set<String> named = new TreeSet<>();
    NAME.matcher(Files.readString(Path.of("docs/security.md")))
        .results()
        .forEach(found -> named.add(found.group(1)));

    assertThat(named).hasSizeGreaterThan(20).allSatisfy(name -> assertThat(tests).contains(name));
  }
}
