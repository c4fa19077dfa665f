package dev.latchkey.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Records log events while it is open. Safe for use by any thread. */
public final class LogRecorder extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger;
  private final Level levelBefore;
  private final boolean everyLogger;

  /** Records warnings, errors and everything with an exception, of every logger. */
  public LogRecorder() {
    this(Logger.ROOT_LOGGER_NAME, Level.WARN);
  }

  /** Records what one class logs at INFO and above. */
  public LogRecorder(Class<?> type) {
    this(type.getName(), Level.INFO);
  }

  /** Records what a package and those below it log at INFO and above. */
  public LogRecorder(Package origin) {
    this(origin.getName(), Level.INFO);
  }

  private LogRecorder(String name, Level level) {
    logger = (Logger) LoggerFactory.getLogger(name);
    levelBefore = logger.getLevel();
    everyLogger = name.equals(Logger.ROOT_LOGGER_NAME);
    if (!everyLogger) {
      logger.setLevel(level);
    }
    setContext(logger.getLoggerContext());
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    boolean thrown = event.getThrowableProxy() != null;
    if (everyLogger && !thrown && !event.getLevel().isGreaterOrEqual(Level.WARN)) {
      return;
    }
    lines.add(
        event.getLevel()
            + (everyLogger ? " " + event.getLoggerName() : "")
            + " "
            + event.getFormattedMessage()
            + (thrown ? " " + event.getThrowableProxy().getClassName() : ""));
  }

  /** Returns level, logger (if it records every logger), message and exception class, in order. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(levelBefore);
    stop();
  }
}
