package dev.latchkey.store.redis;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What a class logs while this is open, from INFO on. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger;
  private final Level before;

  LogLines(Class<?> type) {
    logger = (Logger) LoggerFactory.getLogger(type);
    before = logger.getLevel();
    logger.setLevel(Level.INFO);
    setContext(logger.getLoggerContext());
    start();
    logger.addAppender(this);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getLevel() + " " + event.getFormattedMessage());
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(before);
    stop();
  }
}
