package dev.latchkey.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Keeps what is logged while it is open: warnings, errors, and all that has an exception. */
public final class LogRecorder extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final ConcurrentLinkedQueue<String> kept = new ConcurrentLinkedQueue<>();
  private final Logger root;

  /** Keeps from now on. */
  public LogRecorder() {
    root = ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger(Logger.ROOT_LOGGER_NAME);
    setContext(root.getLoggerContext());
    start();
    root.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (event.getLevel().isGreaterOrEqual(Level.WARN) || event.getThrowableProxy() != null) {
      String thrown =
          event.getThrowableProxy() == null ? "" : " " + event.getThrowableProxy().getClassName();
      kept.add(
          event.getLevel()
              + " "
              + event.getLoggerName()
              + " "
              + event.getFormattedMessage()
              + thrown);
    }
  }

  /** Returns level, logger and message of each, in order. */
  public List<String> kept() {
    return List.copyOf(kept);
  }

  @Override
  public void close() {
    root.detachAppender(this);
    stop();
  }
}
