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
 *       byte, the name in UTF-8 and {@value #DIGEST_BYTES} bytes of digest of its canonical value.
 *       Names longer than {@value #MAX_NAME_BYTES} bytes are left out; the list ends before the
 *       first member that does not fit;
 *   <li>for any other JSON value the digest of the whole value;
 *   <li>without a body nothing.
 * </ul>
 *
 * A body that is not JSON has an empty sketch. The digest only explains a refusal, which the
 * SHA-256 of the request has decided, so it is a fast 64-bit hash and not a cryptographic one.
 * Version 1 had 64 bits of SHA-256 in its place. Used by one thread, for one request.
 */
final class MemberSketch {

  static final int VERSION = 2;
  static final int NO_BODY = 0;
  static final int WHOLE_BODY = 1;
  static final int ALL_MEMBERS = 2;
  static final int FIRST_MEMBERS = 3;

  static final int DIGEST_BYTES = Long.BYTES;
  static final int MAX_NAME_BYTES = 128;

  private static final int KIND_AT = 1;
  private static final int USUAL_BYTES = 256;

  private byte[] sketch = new byte[USUAL_BYTES];
  private int length = 2;

  private MemberSketch(int kind) {
    sketch[0] = VERSION;
    sketch[KIND_AT] = (byte) kind;
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
   * @return at most {@value Fingerprint#MAX_SKETCH_BYTES} bytes
   */
  static byte[] write(JsonNode body, StringBuilder canonical) {
    MemberSketch sketch = new MemberSketch(body.isObject() ? ALL_MEMBERS : WHOLE_BODY);
    if (body.isObject()) {
      CanonicalJson.writeObject(
          body, canonical, (name, start) -> sketch.addMember(name, canonical, start));
    } else {
      CanonicalJson.write(body, canonical);
      sketch.addDigest(canonical, 0);
    }
    return Arrays.copyOf(sketch.sketch, sketch.length);
  }

  private void addMember(String name, StringBuilder canonical, int start) {
    if (sketch[KIND_AT] == FIRST_MEMBERS || name.length() > MAX_NAME_BYTES) {
      return;
    }
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (utf8.length > MAX_NAME_BYTES) {
      return;
    }
    int end = length + 1 + utf8.length + DIGEST_BYTES;
    if (end > Fingerprint.MAX_SKETCH_BYTES) {
      sketch[KIND_AT] = FIRST_MEMBERS;
      return;
    }
    if (end > sketch.length) {
      sketch = Arrays.copyOf(sketch, Fingerprint.MAX_SKETCH_BYTES);
    }
    sketch[length++] = (byte) utf8.length;
    System.arraycopy(utf8, 0, sketch, length, utf8.length);
    length += utf8.length;
    addDigest(canonical, start);
  }

  /** Adds FNV-1a over the UTF-16 code units, with the last step of MurmurHash3 to mix all bits. */
  private void addDigest(StringBuilder canonical, int start) {
    long hash = 0xCBF29CE484222325L;
    for (int i = start; i < canonical.length(); i++) {
      hash = (hash ^ canonical.charAt(i)) * 0x100000001B3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
    ByteBuffer.wrap(sketch).putLong(length, hash ^ (hash >>> 33));
    length += DIGEST_BYTES;
  }
}
