package dev.latchkey.web.impl;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.netty.handler.codec.DateFormatter;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** The headers that belong to one delivery of a response and are never stored. */
final class DeliveryHeaders {

  private static final Header REPLAYED = new Header("Idempotent-Replayed", "true");

  private DeliveryHeaders() {}

  /** Returns a modifiable list of the headers of every response after the claim. */
  static List<Header> of(PreferWait wait) {
    List<Header> headers = new ArrayList<>(3);
    wait.preferenceApplied().ifPresent(it -> headers.add(new Header("Preference-Applied", it)));
    return headers;
  }

  @SuppressWarnings("JavaUtilDate") // the parameter of Netty's formatter
  static List<Header> of(PreferWait wait, Expiry expiry) {
    List<Header> headers = of(wait);
    headers.add(
        new Header("Idempotency-Expires", DateFormatter.format(new Date(expiry.atEpochMillis()))));
    return headers;
  }

  static List<Header> ofReplay(PreferWait wait, Expiry expiry) {
    List<Header> headers = of(wait, expiry);
    headers.add(REPLAYED);
    return headers;
  }
}
