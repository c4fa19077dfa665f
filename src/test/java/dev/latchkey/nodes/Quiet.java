package dev.latchkey.nodes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the news of outages that a test makes, hundreds of them, out of the build's output. */
final class Quiet {

  private static final Logger SERVICE = (Logger) LoggerFactory.getLogger("dev.latchkey");

  private Quiet() {}

  static void begin() {
    SERVICE.setLevel(Level.ERROR);
  }

  static void end() {
    SERVICE.setLevel(null);
  }
}
