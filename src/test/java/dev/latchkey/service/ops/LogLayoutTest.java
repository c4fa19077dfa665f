package dev.latchkey.service.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogLayoutTest {

  /** What was in logback.xml before the log was set up in code. */
  private static final String PATTERN =
      "%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z',UTC} %-5level %logger{0} -"
          + " %replace(%replace(%msg %ex{0}){'\\s*[\\r\\n]+\\s*',' | '}){'(\\s|\\|)+$',''}"
          + "%nopex%n";

  private final LoggerContext context = new LoggerContext();

  private static List<@Nullable Throwable> exceptions() {
    List<@Nullable Throwable> all = new ArrayList<>();
    all.add(null);
    all.add(new IllegalStateException("broken"));
    all.add(new IllegalStateException("two\nlines", new IOException("cause |\r\n")));
    Throwable closing = new IOException();
    closing.addSuppressed(new IllegalArgumentException("while closing"));
    all.add(closing);
    return all;
  }

  @Test
  void writesOneLinePerEvent() {
    PatternLayout before = new PatternLayout();
    before.setContext(context);
    before.setPattern(PATTERN);
    before.start();
    LogLayout now = new LogLayout(false);
    String[] messages = {
      "", " ", "plain", "ends | ", "a\nb", "a \r\n\r\n  b |\n", "\n", "é\u2028", "x|\u2028", "{} $1"
    };
    for (Level level : List.of(Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE)) {
      for (String logger : new String[] {"dev.latchkey.service.Wiring", "root", "a."}) {
        for (String message : messages) {
          for (Throwable exception : exceptions()) {
            LoggingEvent event =
                new LoggingEvent(
                    "here", context.getLogger(logger), level, message, exception, null);
            assertThat(now.doLayout(event))
                .isEqualTo(before.doLayout(event).replace("\u2028", "\\u2028"));
          }
        }
      }
    }
  }

  private String layout(boolean json, String message) {
    return new LogLayout(json)
        .doLayout(
            new LoggingEvent(
                "here", context.getLogger("a.B"), Level.WARN, message, new IOException("x"), null));
  }

  @Test
  void controlCharactersAreEscaped() {
    assertThat(layout(false, "a\u001b[31m\u0085\u2028\u2029\u202e\u0000\tb\r\nc"))
        .contains("a\\u001b[31m\\u0085\\u2028\\u2029\\u202e\\u0000 b | c java.io.IOException: x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\"", "\n", "\u0001", "\u00e9", "\ud83d\ude00", " "})
  void lineHasAtMost2KiB(String symbol) {
    for (boolean json : new boolean[] {false, true}) {
      String line = layout(json, symbol.repeat(100_000) + "!");
      assertThat(line.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(2_048);
      assertThat(line).endsWith("\n").containsOnlyOnce("\n");
      if (json) {
        new JsonObject(line);
      }
    }
  }

  @Test
  void jsonIsOneObjectWithHashedKeys() {
    String line = layout(true, "done: tenant=a key=\"my \\\"secret\\\" key\" psp_key=lk_1\nnext");
    JsonObject object = new JsonObject(line);
    assertThat(object.getString("level")).isEqualTo("WARN");
    assertThat(OffsetDateTime.parse(object.getString("time"))).isNotNull();
    assertThat(object.getString("message"))
        .matches(
            "done: tenant=a key=sha256:[0-9a-f]{16} psp_key=lk_1 \\| next java.io.IOException: x")
        .doesNotContain("secret");
  }

  @Test
  void invalidLevelIsReported() {
    assertThat(List.of("loud", "INFORMATION", "1")).allMatch(LogConfigurator::isUnknown);
    assertThat(List.of("debug", " WARN ", "Off", "", " ")).noneMatch(LogConfigurator::isUnknown);
  }

  @Test
  void levelIsIgnoredIfAFileConfiguresTheLog() {
    System.setProperty(LogConfigurator.LEVEL, "loud");
    try {
      assertThat(LogConfigurator.unknownLevel()).as("there is a logback-test.xml").isEmpty();
    } finally {
      System.clearProperty(LogConfigurator.LEVEL);
    }
  }

  @ParameterizedTest
  @CsvSource({", INFO", "debug, DEBUG", "OFF, OFF", "' ', WARN", "loud, INFO"})
  void levelAppliesToTheServicesLoggers(@Nullable String level, String effective) {
    LogConfigurator.apply(context, level, false);
    assertThat(context.getLogger("dev.latchkey.service.Wiring").getEffectiveLevel())
        .isEqualTo(Level.toLevel(effective));
    assertThat(context.getLogger("io.vertx.core").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("io.vertx.redis.client.impl.X").getEffectiveLevel())
        .isEqualTo(Level.OFF);
    ConsoleAppender<?> appender =
        (ConsoleAppender<?>) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("STDERR");
    assertThat(appender.getTarget()).isEqualTo("System.err");
    assertThat(appender.isStarted()).isTrue();
  }

  @Test
  void aFileOnTheClassPathGoesFirst(@TempDir Path directory) throws Exception {
    URL[] path = {directory.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      assertThat(LogConfigurator.isConfiguredByFile(loader)).isFalse();
      Files.writeString(directory.resolve("logback.xml"), "<configuration />");
      assertThat(LogConfigurator.isConfiguredByFile(loader)).isTrue();
    }
    // The tests have a file of their own.
    assertThat(new LogConfigurator().configure(context))
        .isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
  }
}
