package dev.latchkey.web.fingerprint;

import dev.latchkey.core.spi.Fingerprint;
import java.nio.charset.StandardCharsets;

/**
 * Writes the member sketch of a request: a version byte, a byte for what follows, and either
 *
 * <ul>
 *   <li>for a JSON object its members in canonical order, each as one byte for the length of its
 *       name, the name in UTF-8 and {@value #DIGEST_BYTES} bytes of the SHA-256 of its canonical
 *       value. Names longer than {@value #MAX_NAME_BYTES} bytes are left out; the list ends where
 *       the next member does not fit; or
 *   <li>for any other JSON the digest of the whole; or
 *   <li>for no body nothing.
 * </ul>
 *
 * A body that is not JSON has an empty sketch. Reused by one thread.
 */
final class SketchWriter {

  static final int VERSION = 1;
  static final int NOTHING = 0;
  static final int WHOLE = 1;
  static final int ALL_MEMBERS = 2;
  static final int FIRST_MEMBERS = 3;

  static final int DIGEST_BYTES = 8;
  static final int MAX_NAME_BYTES = 128;

  /** The sketch of a request without a body. */
  static final byte[] NO_BODY = {VERSION, NOTHING};

  private final Sha256 sha256;
  private final ByteSink sketch = new ByteSink(256);
  private final ByteSink value = new ByteSink(256);
  private final byte[] digest = new byte[Sha256.BYTES];

  SketchWriter(Sha256 sha256) {
    this.sha256 = sha256;
  }

  /**
   * Writes the sketch of a JSON body.
   *
   * @param tree the body
   * @return at most {@value Fingerprint#MAX_SKETCH_BYTES} bytes
   */
  byte[] write(JsonTree tree) {
    if (!tree.isObject()) {
      value.clear();
      tree.write(value);
      return whole(value, 0, value.size());
    }
    begin();
    tree.forEachMember(
        member -> {
          byte[] name = tree.name(member).getBytes(StandardCharsets.UTF_8);
          if (hasRoom(name.length)) {
            sketch.putByte(name.length);
            sketch.putBytes(name, 0, name.length);
            value.clear();
            tree.writeValue(member, value);
            putDigest(value, 0, value.size());
          }
        });
    return sketch.toBytes();
  }

  /**
   * Writes the sketch of a JSON body that is plain.
   *
   * @param json the body
   * @param text where its canonical text is
   * @param start where that starts, which ends with the sink
   * @return the same as of its tree
   */
  byte[] write(PlainJson json, ByteSink text, int start) {
    if (text.at(start) != '{') {
      return whole(text, start, text.size());
    }
    begin();
    for (int member = 0; member < json.members(); member++) {
      int nameStart = json.nameStart(member);
      int nameLength = json.nameEnd(member) - nameStart;
      if (hasRoom(nameLength)) {
        sketch.putByte(nameLength);
        text.copyTo(sketch, nameStart, nameStart + nameLength);
        putDigest(text, json.valueStart(member), json.valueEnd(member));
      }
    }
    return sketch.toBytes();
  }

  private byte[] whole(ByteSink text, int start, int end) {
    sketch.clear();
    sketch.putByte(VERSION);
    sketch.putByte(WHOLE);
    putDigest(text, start, end);
    return sketch.toBytes();
  }

  private void begin() {
    sketch.clear();
    sketch.putByte(VERSION);
    sketch.putByte(ALL_MEMBERS);
  }

  /** Whether the next member is to be written; the list ends with the first that does not fit. */
  private boolean hasRoom(int nameLength) {
    if (sketch.at(1) == FIRST_MEMBERS || nameLength > MAX_NAME_BYTES) {
      return false;
    }
    if (sketch.size() + 1 + nameLength + DIGEST_BYTES > Fingerprint.MAX_SKETCH_BYTES) {
      sketch.set(1, FIRST_MEMBERS);
      return false;
    }
    return true;
  }

  private void putDigest(ByteSink text, int start, int end) {
    sha256.of(text, start, end, digest);
    sketch.putBytes(digest, 0, DIGEST_BYTES);
  }
}
