package dev.latchkey.service.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How the simulated PSP is to run.
 *
 * @param host the address to listen on
 * @param port the port to listen on, 0 for any free one
 * @param data where it keeps its state; in memory when left out
 * @param secret signs its events
 * @param eventsUrl where its events go; nowhere when left out
 */
public record PspConfig(
    String host, int port, Optional<Path> data, Optional<String> secret, Optional<URI> eventsUrl) {

  /** Leaves the secret out. */
  @Override
  public String toString() {
    return "PspConfig[host="
        + host
        + ", port="
        + port
        + ", data="
        + data
        + ", eventsUrl="
        + eventsUrl
        + "]";
  }
}
