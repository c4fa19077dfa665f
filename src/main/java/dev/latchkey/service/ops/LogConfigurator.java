package dev.latchkey.service.ops;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Configures the log: standard error, one event per line. In code, because reading XML dominates
 * the time until the command line is parsed. Does nothing if {@code logback.xml} or {@code
 * logback-test.xml} is on the class path, or the system property {@code logback.configurationFile}
 * is set. Called once by Logback, on the thread that creates the first logger.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class LogConfigurator extends ContextAwareBase implements Configurator {

  /** The variable, or system property, with the level of Latchkey's own loggers. */
  public static final String LEVEL = "LATCHKEY_LOG_LEVEL";

  private static final String FILE_PROPERTY = "logback.configurationFile";
  private static final String[] FILES = {"logback-test.xml", "logback.xml"};

  private static final String[] SILENT = {
    // ErrorResponses logs failed requests.
    "io.vertx.ext.web.RoutingContext",
    // Peers reset connections all the time on a public port.
    "io.vertx.core.net.impl.ConnectionBase",
    // The store logs lost connections, in one line.
    "io.vertx.redis.client.impl"
  };

  /** For Logback. */
  public LogConfigurator() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (isConfiguredByFile(LogConfigurator.class.getClassLoader())) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    apply(context, givenLevel(), false);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** Writes one JSON object per line from now on, unless a file configures the log. */
  public static void useJson() {
    if (!isConfiguredByFile(LogConfigurator.class.getClassLoader())
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      apply(context, givenLevel(), true);
    }
  }

  private static @Nullable String givenLevel() {
    String property = System.getProperty(LEVEL);
    return property == null ? System.getenv(LEVEL) : property;
  }

  /** Returns the configured level if it is invalid, so that INFO is used. */
  public static Optional<String> unknownLevel() {
    return Optional.ofNullable(givenLevel())
        .filter(LogConfigurator::isUnknown)
        .filter(level -> !isConfiguredByFile(LogConfigurator.class.getClassLoader()));
  }

  static boolean isUnknown(String level) {
    return !level.isBlank() && Level.toLevel(level.strip(), null) == null;
  }

  static boolean isConfiguredByFile(ClassLoader loader) {
    if (System.getProperty(FILE_PROPERTY) != null) {
      return true;
    }
    for (String file : FILES) {
      if (loader.getResource(file) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Configures a context.
   *
   * @param context the context to change
   * @param level of Latchkey's own loggers; INFO if absent or invalid
   * @param json one JSON object per line
   */
  static void apply(LoggerContext context, @Nullable String level, boolean json) {
    LogLayout layout = new LogLayout(json);
    layout.setContext(context);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
    appender.setContext(context);
    appender.setName("STDERR");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.detachAndStopAllAppenders();
    root.addAppender(appender);
    if (level == null) {
      context.getLogger("dev.latchkey").setLevel(Level.INFO);
    } else if (!level.isBlank()) {
      context.getLogger("dev.latchkey").setLevel(Level.toLevel(level.strip(), Level.INFO));
    }
    for (String name : SILENT) {
      context.getLogger(name).setLevel(Level.OFF);
    }
  }
}
