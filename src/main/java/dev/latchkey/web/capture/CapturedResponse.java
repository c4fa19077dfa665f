package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The complete response of a downstream handler. Immutable.
 *
 * @param stored the part to store: the headers set since capturing began, without those of {@link
 *     StoredHeaders#NOT_STORED}
 * @param headers all header lines set since capturing began, for the first caller
 * @param removed lower-case names of earlier headers that the handler removed
 * @param statusMessage the reason phrase, if the handler set one
 * @param headFirst whether the head was written before the length of the body was known
 */
public record CapturedResponse(
    StoredResponse stored,
    List<Header> headers,
    Set<String> removed,
    Optional<String> statusMessage,
    boolean headFirst) {

  /** Copies the collections. */
  public CapturedResponse {
    headers = List.copyOf(headers);
    removed = Set.copyOf(removed);
  }

  /** Returns the HTTP status code. */
  public int status() {
    return stored.status();
  }
}
