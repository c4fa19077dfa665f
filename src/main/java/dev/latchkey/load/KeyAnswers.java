package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is remembered of each key's successful answers: some 33 bytes, whatever the number and the
 * size of the answers. Used from one event loop.
 */
final class KeyAnswers {

  /** How an answer came about, as far as the caller can tell. */
  enum Kind {
    /** Not marked as replayed. */
    FIRST,
    /** Marked, and sent before the key's first answer arrived. */
    PARKED,
    /** Marked, and sent after it. */
    REPLAYED
  }

  /**
   * What an answer turned out to be.
   *
   * @param kind how it came about
   * @param wakeNanos from the key's first answer to this one, for a parked one that is not itself
   *     the first
   */
  record Noted(Kind kind, OptionalLong wakeNanos) {}

  private static final int FEW = 1_024;

  private final Digest digest = new Digest();
  private long[] firstNanos = new long[FEW];
  private long[] answerDigest = new long[FEW];
  private long[] paymentDigest = new long[FEW];
  private long[] termsDigest = new long[FEW];
  private final BitSet answered = new BitSet();
  private final BitSet unmarked = new BitSet();
  private final BitSet unmarkedAgain = new BitSet();
  private final BitSet differing = new BitSet();

  /**
   * Takes a successful answer.
   *
   * @param operation whose, counted from 0 without gaps
   * @param answer a 2xx
   */
  Noted note(int operation, AttemptEnd.Answered answer) {
    grow(operation);
    boolean earliest = !answered.get(operation);
    String headers = RepeatedHeaders.of(answer.headers());
    long hash = digest.ofAnswer(answer.status(), headers, answer.body().getBytes());
    if (earliest) {
      answered.set(operation);
      firstNanos[operation] = answer.answeredNanos();
      answerDigest[operation] = hash;
      Optional<JsonObject> payment = answer.json();
      paymentDigest[operation] = payment.map(KeyAnswers::id).map(digest::ofText).orElse(0L);
      termsDigest[operation] = payment.map(KeyAnswers::terms).map(digest::ofText).orElse(0L);
    } else if (answerDigest[operation] != hash) {
      differing.set(operation);
    }
    if (!answer.replayed()) {
      if (unmarked.get(operation)) {
        unmarkedAgain.set(operation);
      }
      unmarked.set(operation);
      return new Noted(Kind.FIRST, OptionalLong.empty());
    }
    long first = firstNanos[operation];
    if (answer.sentNanos() - first >= 0) {
      return new Noted(Kind.REPLAYED, OptionalLong.empty());
    }
    OptionalLong wake =
        earliest ? OptionalLong.empty() : OptionalLong.of(answer.answeredNanos() - first);
    return new Noted(Kind.PARKED, wake);
  }

  private void grow(int operation) {
    if (operation >= firstNanos.length) {
      int length = Math.max(operation + 1, 2 * firstNanos.length);
      firstNanos = Arrays.copyOf(firstNanos, length);
      answerDigest = Arrays.copyOf(answerDigest, length);
      paymentDigest = Arrays.copyOf(paymentDigest, length);
      termsDigest = Arrays.copyOf(termsDigest, length);
    }
  }

  private static String id(JsonObject payment) {
    return String.valueOf(payment.getValue("id"));
  }

  /** What a caller relies on. */
  private static String terms(JsonObject payment) {
    return Stream.of("amount", "currency", "status", "psp_charge")
        .map(name -> String.valueOf(payment.getValue(name)))
        .collect(Collectors.joining("\n"));
  }

  /** Whether a caller was told that it succeeded. */
  boolean answered(int operation) {
    return answered.get(operation);
  }

  /** Whether the key's first answer was about this payment. */
  boolean isAbout(int operation, String paymentId) {
    return answered(operation) && paymentDigest[operation] == digest.ofText(paymentId);
  }

  /** Whether its amount, currency, status and charge are those of the key's first answer. */
  boolean hasTerms(int operation, JsonObject payment) {
    return answered(operation) && termsDigest[operation] == digest.ofText(terms(payment));
  }

  /** Whether two answers differ in status, body or a header that replays repeat. */
  boolean differ(int operation) {
    return differing.get(operation);
  }

  /** Whether more than one answer is not marked as replayed. */
  boolean ranTwice(int operation) {
    return unmarkedAgain.get(operation);
  }

  /** Keys whose answers differ. */
  int differing() {
    return differing.cardinality();
  }
}
