package dev.latchkey.client;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * One logical operation. Every send of it has the same idempotency key. Derive the key from what
 * the operation is for, such as the number of an order, and it stays the same if the process
 * restarts. Without a given key, it is a random UUID (version 7, RFC 9562).
 *
 * @param method usually POST
 * @param path starts with a slash; may contain a query
 * @param headers without the idempotency key
 * @param body empty for none
 * @param key 1 to 255 printable ASCII characters
 */
public record IdempotentRequest(
    HttpMethod method, String path, Map<String, String> headers, Buffer body, String key) {

  private static final int MAX_KEY_CHARS = 255;

  /**
   * Copies the headers.
   *
   * @throws IllegalArgumentException if the key is not one, or the path does not start with a slash
   */
  public IdempotentRequest {
    headers = Map.copyOf(headers);
    if (key.isEmpty()
        || key.length() > MAX_KEY_CHARS
        || key.chars().anyMatch(it -> it < 0x20 || it > 0x7e)) {
      throw new IllegalArgumentException(
          "a key has 1 to 255 printable ASCII characters; this one has " + key.length());
    }
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("the path '" + path + "' does not start with a slash");
    }
  }

  /**
   * Returns a POST with a JSON body and a random key.
   *
   * @param path starts with a slash
   * @param body the content
   * @return the request
   */
  public static IdempotentRequest post(String path, JsonObject body) {
    return new IdempotentRequest(
        HttpMethod.POST,
        path,
        Map.of("Content-Type", "application/json"),
        body.toBuffer(),
        RandomKey.next());
  }

  /**
   * Returns this request under another key.
   *
   * @param key see {@link IdempotentRequest}
   * @return the request
   */
  public IdempotentRequest withKey(String key) {
    return new IdempotentRequest(method, path, headers, body, key);
  }

  /**
   * Returns this request with one more header.
   *
   * @param name of the header
   * @param value of the header
   * @return the request
   */
  public IdempotentRequest withHeader(String name, String value) {
    Map<String, String> copy = new HashMap<>(headers);
    copy.put(name, value);
    return new IdempotentRequest(method, path, copy, body, key);
  }

  /** Returns the key as an RFC 9651 String. */
  String quotedKey() {
    return '"' + key.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
