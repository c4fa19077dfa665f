package dev.latchkey.nodes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Suppresses warnings of the service while a test causes hundreds of outages. */
final class QuietLogs {

  private static final Logger SERVICE = (Logger) LoggerFactory.getLogger("dev.latchkey");

  private QuietLogs() {}

  static void start() {
    SERVICE.setLevel(Level.ERROR);
  }

  static void end() {
    SERVICE.setLevel(null);
  }
}
