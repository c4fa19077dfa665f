package dev.latchkey.psp.simulator;

import dev.latchkey.psp.StandardWebhooks;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Options of the simulator as a server.
 *
 * @param host the address to bind
 * @param port the port to bind, 0 for any free port
 * @param dataDir the directory of its state, created if absent; without one the state is in memory
 * @param secret signs its events, see {@link StandardWebhooks#of}; without one they are not signed
 * @param eventsUrl receiver of its events, http or https; without one it sends none
 */
public record SimulatorOptions(
    String host,
    int port,
    Optional<Path> dataDir,
    Optional<String> secret,
    Optional<URI> eventsUrl) {

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the port, the secret or the URL is invalid
   */
  public SimulatorOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not within 0 to 65535");
    }
    secret.ifPresent(StandardWebhooks::of);
    if (eventsUrl.filter(url -> !isHttp(url)).isPresent()) {
      throw new IllegalArgumentException("events-url is not an http or https URL");
    }
  }

  private static boolean isHttp(URI url) {
    return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
        && url.getHost() != null;
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "SimulatorOptions[host=" + host + ", port=" + port + ", dataDir=" + dataDir + "]";
  }
}
