package dev.latchkey.web.fingerprint;

import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.json.JsonPointers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** Compares the member sketches of two requests, as far as they reach. Stateless. */
public final class SketchDiff {

  private SketchDiff() {}

  /**
   * The members of one request's body.
   *
   * @param digests by name, in canonical order
   * @param complete false when members after the last one are not known
   */
  private record Members(TreeMap<String, Long> digests, boolean complete) {

    /** Returns whether this would list the member if the body had it. */
    boolean covers(String name) {
      return complete || (!digests.isEmpty() && name.compareTo(digests.lastKey()) <= 0);
    }
  }

  /**
   * Names the top-level members that differ, were added or are gone.
   *
   * @param firstUse of a key
   * @param other request with the same key
   * @return RFC 6901 pointers in canonical order; {@code ""} when the bodies differ and are not
   *     both objects; empty if a sketch is missing or the difference is not in the body
   */
  public static List<String> differing(Fingerprint firstUse, Fingerprint other) {
    byte[] before = firstUse.memberSketch();
    byte[] after = other.memberSketch();
    if (!isReadable(before) || !isReadable(after)) {
      return List.of();
    }
    Optional<Members> old = members(before);
    Optional<Members> young = members(after);
    if (old.isPresent() && young.isPresent()) {
      return differing(old.get(), young.get());
    }
    return Arrays.equals(before, after) ? List.of() : List.of("");
  }

  private static List<String> differing(Members old, Members young) {
    TreeSet<String> names = new TreeSet<>(old.digests.keySet());
    names.addAll(young.digests.keySet());
    List<String> pointers = new ArrayList<>();
    for (String name : names) {
      boolean comparable = old.covers(name) && young.covers(name);
      Long before = old.digests.get(name);
      if (comparable && (before == null || !before.equals(young.digests.get(name)))) {
        pointers.add(JsonPointers.member("", name));
      }
    }
    return pointers;
  }

  /** A sketch of another version, or none, says nothing. */
  private static boolean isReadable(byte[] bytes) {
    return bytes.length >= 2
        && bytes[0] == MemberSketch.VERSION
        && bytes[1] >= MemberSketch.NO_BODY
        && bytes[1] <= MemberSketch.FIRST_MEMBERS;
  }

  private static Optional<Members> members(byte[] bytes) {
    if (bytes[1] != MemberSketch.ALL_MEMBERS && bytes[1] != MemberSketch.FIRST_MEMBERS) {
      return Optional.empty();
    }
    TreeMap<String, Long> digests = new TreeMap<>();
    int i = 2;
    while (i < bytes.length) {
      int nameEnd = i + 1 + (bytes[i] & 0xFF);
      int end = nameEnd + MemberSketch.DIGEST_BYTES;
      if (end > bytes.length) {
        return Optional.of(new Members(digests, false));
      }
      String name = new String(bytes, i + 1, nameEnd - i - 1, StandardCharsets.UTF_8);
      digests.put(name, ByteBuffer.wrap(bytes).getLong(nameEnd));
      i = end;
    }
    return Optional.of(new Members(digests, bytes[1] == MemberSketch.ALL_MEMBERS));
  }
}
