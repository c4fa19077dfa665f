package dev.latchkey.psp;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs and verifies messages by the Standard Webhooks specification 1.0: HMAC-SHA256 over {@code
 * id.timestamp.body}. Immutable, safe for use by any thread; never shows its secret.
 */
public final class StandardWebhooks {

  /** The header with the message id, the same on every delivery. */
  public static final String ID = "webhook-id";

  /** The header with the time of the delivery, in seconds since 1970. */
  public static final String TIMESTAMP = "webhook-timestamp";

  /** The header with the signatures, {@code v1,BASE64}, separated by spaces. */
  public static final String SIGNATURE = "webhook-signature";

  /** Maximum difference of a timestamp in either direction, in seconds. */
  public static final long TOLERANCE_SECONDS = 300;

  private static final String SECRET_PREFIX = "whsec_";
  private static final String VERSION_PREFIX = "v1,";
  private static final int MAX_SIGNATURES = 16;
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

  private final SecretKeySpec key;

  private StandardWebhooks(byte[] key) {
    this.key = new SecretKeySpec(key, "HmacSHA256");
  }

  /**
   * Creates a signer for a shared secret.
   *
   * @param secret {@code whsec_} and base64, or any other text as its UTF-8 bytes
   * @return a signer
   * @throws IllegalArgumentException if the secret is empty
   */
  public static StandardWebhooks of(String secret) {
    if (secret.isEmpty() || secret.equals(SECRET_PREFIX)) {
      throw new IllegalArgumentException("the secret for events is empty");
    }
    if (secret.startsWith(SECRET_PREFIX)) {
      try {
        byte[] decoded = Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
        return new StandardWebhooks(decoded);
      } catch (IllegalArgumentException notBase64) {
        // Any other text: the prefix alone does not make it base64.
      }
    }
    return new StandardWebhooks(secret.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Signs a message.
   *
   * @param id the message's id
   * @param timestampSeconds time of the delivery, in seconds since 1970
   * @param body the bytes sent
   * @return the value of {@link #SIGNATURE}
   */
  public String sign(String id, long timestampSeconds, Buffer body) {
    byte[] signature = hmac(id, Long.toString(timestampSeconds), body);
    return VERSION_PREFIX + Base64.getEncoder().encodeToString(signature);
  }

  /**
   * Verifies a received message in constant time.
   *
   * @param headers of the request, with each of the three exactly once
   * @param body the bytes received
   * @param now the current time
   * @return true if one of the first 16 signatures matches and the timestamp is within {@link
   *     #TOLERANCE_SECONDS}
   */
  public boolean verify(MultiMap headers, Buffer body, Instant now) {
    Optional<String> id = only(headers, ID);
    Optional<String> timestamp = only(headers, TIMESTAMP);
    Optional<String> signatures = only(headers, SIGNATURE);
    if (id.isEmpty() || timestamp.isEmpty() || signatures.isEmpty()) {
      return false;
    }
    String seconds = timestamp.get();
    if (!SECONDS.matcher(seconds).matches()
        || Math.abs(now.getEpochSecond() - Long.parseLong(seconds)) > TOLERANCE_SECONDS) {
      return false;
    }
    byte[] expected = hmac(id.get(), seconds, body);
    boolean matches = false;
    for (String signature : List.of(signatures.get().split(" ", MAX_SIGNATURES + 1))) {
      matches |= MessageDigest.isEqual(expected, decode(signature));
    }
    return matches;
  }

  private static Optional<String> only(MultiMap headers, String name) {
    List<String> values = headers.getAll(name);
    return values.size() == 1 ? Optional.of(values.get(0)) : Optional.empty();
  }

  private static byte[] decode(String signature) {
    if (!signature.startsWith(VERSION_PREFIX)) {
      return new byte[0];
    }
    try {
      return Base64.getDecoder().decode(signature.substring(VERSION_PREFIX.length()));
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  private byte[] hmac(String id, String timestamp, Buffer body) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return mac.doFinal(body.getBytes());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no HmacSHA256", e);
    }
  }
}
