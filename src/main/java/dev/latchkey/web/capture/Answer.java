package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a downstream handler answered. Immutable.
 *
 * @param stored what is kept of it: the headers that were set since capturing began, less those of
 *     {@link StoredHeaders#NOT_STORED}
 * @param headers all header lines set since capturing began, for the first caller
 * @param removed names, in lower case, of headers that were there before and that the handler
 *     removed
 * @param statusMessage the reason phrase, where the handler set one
 * @param headFirst whether the head left before the length of the body was known
 */
public record Answer(
    StoredResponse stored,
    List<Header> headers,
    Set<String> removed,
    Optional<String> statusMessage,
    boolean headFirst) {

  /** Copies the collections. */
  public Answer {
    headers = List.copyOf(headers);
    removed = Set.copyOf(removed);
  }

  /** Returns the HTTP status code. */
  public int status() {
    return stored.status();
  }
}
