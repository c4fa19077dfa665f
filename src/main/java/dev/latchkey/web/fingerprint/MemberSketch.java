package dev.latchkey.web.fingerprint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.json.CanonicalJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes the member sketch of a request: a version byte, a byte for the kind of sketch, and then
 *
 * <ul>
 *   <li>for a JSON object its members in canonical order, each as the length of its name in one
 *       byte, the name in UTF-8 and {@value #DIGEST_BYTES} bytes of the SHA-256 of its canonical
 *       value. Names longer than {@value #MAX_NAME_BYTES} bytes are left out; the list ends before
 *       the first member that does not fit;
 *   <li>for any other JSON value the digest of the whole value;
 *   <li>without a body nothing.
 * </ul>
 *
 * A body that is not JSON has an empty sketch. Used by one thread, for one request.
 */
final class MemberSketch {

  static final int VERSION = 1;
  static final int NO_BODY = 0;
  static final int WHOLE_BODY = 1;
  static final int ALL_MEMBERS = 2;
  static final int FIRST_MEMBERS = 3;

  static final int DIGEST_BYTES = 8;
  static final int MAX_NAME_BYTES = 128;

  private static final int KIND_AT = 1;

  private final ByteBuffer sketch = ByteBuffer.allocate(Fingerprint.MAX_SKETCH_BYTES);
  private final Sha256 sha256;

  private MemberSketch(Sha256 sha256, int kind) {
    this.sha256 = sha256;
    sketch.put((byte) VERSION).put((byte) kind);
  }

  /** Returns the sketch of a request without a body. */
  static byte[] ofNoBody() {
    return new byte[] {VERSION, NO_BODY};
  }

  /**
   * Appends the canonical form of a body and returns its sketch.
   *
   * @param body a JSON value
   * @param canonical empty, receives the canonical form
   * @param sha256 with nothing added
   * @return at most {@value Fingerprint#MAX_SKETCH_BYTES} bytes
   */
  static byte[] write(JsonNode body, StringBuilder canonical, Sha256 sha256) {
    MemberSketch sketch = new MemberSketch(sha256, body.isObject() ? ALL_MEMBERS : WHOLE_BODY);
    if (body.isObject()) {
      CanonicalJson.writeObject(
          body, canonical, (name, start) -> sketch.addMember(name, canonical.substring(start)));
    } else {
      CanonicalJson.write(body, canonical);
      sketch.addDigest(canonical.toString());
    }
    return Arrays.copyOf(sketch.sketch.array(), sketch.sketch.position());
  }

  private void addMember(String name, String canonicalValue) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (sketch.get(KIND_AT) == FIRST_MEMBERS || utf8.length > MAX_NAME_BYTES) {
      return;
    }
    if (sketch.remaining() < 1 + utf8.length + DIGEST_BYTES) {
      sketch.put(KIND_AT, (byte) FIRST_MEMBERS);
      return;
    }
    sketch.put((byte) utf8.length).put(utf8);
    addDigest(canonicalValue);
  }

  private void addDigest(String canonicalValue) {
    sha256.addBytes(canonicalValue.getBytes(StandardCharsets.UTF_8));
    sketch.put(sha256.finish(), 0, DIGEST_BYTES);
  }
}
