package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Digests of each key's successful responses: about 33 bytes per key, independent of the number and
 * size of the responses. Confined to one event loop.
 */
final class KeyResponses {

  /** The origin of a response, as its caller can tell. */
  enum Kind {
    /** Not marked as replayed. */
    FIRST,
    /** Marked as replayed, and sent before the key's first response arrived. */
    PARKED,
    /** Marked as replayed, and sent later. */
    REPLAYED
  }

  /**
   * A classified response. A parked one that is not the key's first has the time since the first.
   */
  record Observation(Kind kind, OptionalLong wakeNanos) {}

  private static final int INITIAL_KEYS = 1_024;

  private final Digest digest = new Digest();
  private long[] firstNanos = new long[INITIAL_KEYS];
  private long[] responseDigest = new long[INITIAL_KEYS];
  private long[] paymentDigest = new long[INITIAL_KEYS];
  private long[] termsDigest = new long[INITIAL_KEYS];
  private final BitSet succeeded = new BitSet();
  private final BitSet unmarked = new BitSet();
  private final BitSet unmarkedTwice = new BitSet();
  private final BitSet differing = new BitSet();

  /** Adds a 2xx response of an operation; operations are numbered from 0 without gaps. */
  Observation add(int operation, LoadResponse response) {
    grow(operation);
    boolean isFirst = !succeeded.get(operation);
    String headers = StoredHeaders.of(response.headers());
    long hash = digest.ofResponse(response.status(), headers, response.body().getBytes());
    if (isFirst) {
      succeeded.set(operation);
      firstNanos[operation] = response.endNanos();
      responseDigest[operation] = hash;
      Optional<JsonObject> payment = response.json();
      paymentDigest[operation] = payment.map(KeyResponses::id).map(digest::ofText).orElse(0L);
      termsDigest[operation] = payment.map(KeyResponses::terms).map(digest::ofText).orElse(0L);
    } else if (responseDigest[operation] != hash) {
      differing.set(operation);
    }
    if (!response.replayed()) {
      if (unmarked.get(operation)) {
        unmarkedTwice.set(operation);
      }
      unmarked.set(operation);
      return new Observation(Kind.FIRST, OptionalLong.empty());
    }
    long first = firstNanos[operation];
    if (response.sentNanos() - first >= 0) {
      return new Observation(Kind.REPLAYED, OptionalLong.empty());
    }
    OptionalLong wake =
        isFirst ? OptionalLong.empty() : OptionalLong.of(response.endNanos() - first);
    return new Observation(Kind.PARKED, wake);
  }

  private void grow(int operation) {
    if (operation >= firstNanos.length) {
      int length = Math.max(operation + 1, 2 * firstNanos.length);
      firstNanos = Arrays.copyOf(firstNanos, length);
      responseDigest = Arrays.copyOf(responseDigest, length);
      paymentDigest = Arrays.copyOf(paymentDigest, length);
      termsDigest = Arrays.copyOf(termsDigest, length);
    }
  }

  private static String id(JsonObject payment) {
    return String.valueOf(payment.getValue("id"));
  }

  /** The members that a caller relies on. */
  private static String terms(JsonObject payment) {
    return Stream.of("amount", "currency", "status", "psp_charge")
        .map(name -> String.valueOf(payment.getValue(name)))
        .collect(Collectors.joining("\n"));
  }

  /** Returns whether any caller got a 2xx. */
  boolean succeeded(int operation) {
    return succeeded.get(operation);
  }

  /** Returns whether the key's first response shows this payment. */
  boolean shows(int operation, String paymentId) {
    return succeeded(operation) && paymentDigest[operation] == digest.ofText(paymentId);
  }

  /** Whether its amount, currency, status and charge are those of the key's first response. */
  boolean hasTerms(int operation, JsonObject payment) {
    return succeeded(operation) && termsDigest[operation] == digest.ofText(terms(payment));
  }

  /** Returns whether two responses differ in status, body or a stored header. */
  boolean differ(int operation) {
    return differing.get(operation);
  }

  /** Returns whether several responses are not marked as replayed. */
  boolean executedTwice(int operation) {
    return unmarkedTwice.get(operation);
  }

  /** Returns the number of keys whose responses differ. */
  int differing() {
    return differing.cardinality();
  }
}
