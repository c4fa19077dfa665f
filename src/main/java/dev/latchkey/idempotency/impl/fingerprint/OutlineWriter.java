package dev.latchkey.idempotency.impl.fingerprint;

import dev.latchkey.idempotency.spi.Outline;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;

/**
 * Writes the outline of a request: a version byte, a byte for what follows, and either
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
 * A body that is not JSON has the empty outline. Stateless.
 */
final class OutlineWriter {

  static final int VERSION = 1;
  static final int NOTHING = 0;
  static final int WHOLE = 1;
  static final int ALL_MEMBERS = 2;
  static final int FIRST_MEMBERS = 3;

  static final int DIGEST_BYTES = 8;
  static final int MAX_NAME_BYTES = 128;

  /** The outline of a request without a body. */
  static final Outline NO_BODY = Outline.of(new byte[] {VERSION, NOTHING});

  private static final int SHA256_BYTES = 32;

  private final JsonTree tree;
  private final ByteSink sink = new ByteSink(256);
  private final ByteSink value = new ByteSink(256);
  private final MessageDigest sha256 = Sha256.create();
  private final byte[] digest = new byte[SHA256_BYTES];
  private boolean full;

  private OutlineWriter(JsonTree tree) {
    this.tree = tree;
  }

  /**
   * Writes the outline of a JSON body.
   *
   * @param tree the body
   * @return at most {@value Outline#MAX_BYTES} bytes
   */
  static Outline write(JsonTree tree) {
    return new OutlineWriter(tree).write();
  }

  private Outline write() {
    if (!tree.isObject()) {
      sink.putByte(VERSION);
      sink.putByte(WHOLE);
      putDigest(0);
      return Outline.of(sink.toBytes());
    }
    tree.forEachMember(this::putMember);
    ByteSink all = new ByteSink(sink.size() + 2);
    all.putByte(VERSION);
    all.putByte(full ? FIRST_MEMBERS : ALL_MEMBERS);
    sink.copyTo(all, 0, sink.size());
    return Outline.of(all.toBytes());
  }

  private void putMember(int member) {
    byte[] name = tree.name(member).getBytes(StandardCharsets.UTF_8);
    if (full || name.length > MAX_NAME_BYTES) {
      return;
    }
    if (2 + sink.size() + 1 + name.length + DIGEST_BYTES > Outline.MAX_BYTES) {
      full = true;
      return;
    }
    sink.putByte(name.length);
    sink.putBytes(name, 0, name.length);
    putDigest(member);
  }

  private void putDigest(int node) {
    value.clear();
    tree.writeValue(node, value);
    value.updateInto(sha256);
    try {
      sha256.digest(digest, 0, SHA256_BYTES);
    } catch (DigestException e) {
      throw new IllegalStateException("SHA-256 does not fit into 32 bytes", e);
    }
    sink.putBytes(digest, 0, DIGEST_BYTES);
  }
}
