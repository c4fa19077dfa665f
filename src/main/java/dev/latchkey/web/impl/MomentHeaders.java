package dev.latchkey.web.impl;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.StoredResponse.Header;
import java.util.ArrayList;
import java.util.List;

/** Headers of the layer that belong to one answer and are never stored. */
final class MomentHeaders {

  private static final Header REPLAYED = new Header("Idempotent-Replayed", "true");

  private MomentHeaders() {}

  /** What every answer of a request that got as far as the claim carries; may be added to. */
  static List<Header> of(PreferWait wait) {
    List<Header> headers = new ArrayList<>(3);
    wait.preferenceApplied().ifPresent(it -> headers.add(new Header("Preference-Applied", it)));
    return headers;
  }

  /** Likewise, of a completed key. */
  static List<Header> of(PreferWait wait, Expiry expiry) {
    List<Header> headers = of(wait);
    headers.add(new Header("Idempotency-Expires", HttpDates.format(expiry.atEpochMillis())));
    return headers;
  }

  /** Likewise, of a stored answer. */
  static List<Header> ofReplay(PreferWait wait, Expiry expiry) {
    List<Header> headers = of(wait, expiry);
    headers.add(REPLAYED);
    return headers;
  }
}
