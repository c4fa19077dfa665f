package dev.latchkey.web.fingerprint;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.json.MalformedJsonException;
import dev.latchkey.json.StrictJson;
import java.nio.charset.StandardCharsets;

/** Builds fingerprints the way the handler does. */
final class Fingerprints {

  private Fingerprints() {}

  static Fingerprint of(String method, String path, String query, String contentType, String body) {
    return of(method, path, query, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  static Fingerprint of(String method, String path, String query, String contentType, byte[] body) {
    FingerprintBuilder builder = new FingerprintBuilder(method, path, query, contentType);
    try {
      return body.length > 0 && builder.isJson()
          ? builder.withJson(StrictJson.parse(body, 64))
          : builder.withBytes(body);
    } catch (MalformedJsonException e) {
      throw new AssertionError(e.detail(), e);
    }
  }
}
