package dev.latchkey.psp;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How to run the simulated PSP as a server.
 *
 * @param host the address to bind
 * @param port the port to bind, 0 for any free one
 * @param dataDir where its state lives, created if absent; left out, it lives in memory
 * @param secret signs its events, see {@link StandardWebhooks#of}; left out, they are not signed
 * @param eventsUrl where its events go, http or https; left out, it sends none
 */
public record PspServerOptions(
    String host,
    int port,
    Optional<Path> dataDir,
    Optional<String> secret,
    Optional<URI> eventsUrl) {

  /**
   * Checks the options.
   *
   * @throws IllegalArgumentException if the port, the secret or the URL cannot be used
   */
  public PspServerOptions {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not within 0 to 65535");
    }
    secret.ifPresent(StandardWebhooks::of);
    eventsUrl.ifPresent(url -> HttpUrls.check("events-url", url));
  }

  /** Hides the secret. */
  @Override
  public String toString() {
    return "PspServerOptions[host=" + host + ", port=" + port + ", dataDir=" + dataDir + "]";
  }
}
