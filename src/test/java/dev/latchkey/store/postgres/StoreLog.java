package dev.latchkey.store.postgres;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** What the store logs while this is open; a stack trace counts as a line of its own. */
final class StoreLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger(PostgresStore.class);

  StoreLog() {
    setContext(logger.getLoggerContext());
    start();
    logger.addAppender(this);
    logger.setLevel(Level.INFO);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(event.getFormattedMessage());
    if (event.getThrowableProxy() != null) {
      lines.add("stack trace of " + event.getThrowableProxy().getClassName());
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(null);
    stop();
  }
}
