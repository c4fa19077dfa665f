package dev.latchkey.store.redis;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One call under way. Settled once; whoever is late is not heard. Confined to the event loop of its
 * lane.
 */
final class Call {

  /** What a call does at the server, as far as that is known beforehand. */
  enum Kind {
    /** Only reads, so whatever becomes of it nothing was done. */
    READS,
    /** Writes or not, by what it finds. */
    MAY_WRITE,
    /** Writes whatever it finds, so an answer to it says that the server takes writes. */
    WRITES
  }

  private static final int MAX_RESENDS = 8;
  private static final Object[] NO_WORDS = {};

  private final String operation;
  private final Kind kind;
  private final Optional<RedisScript> script;
  private final String command;
  private final Object[] words;
  private final Promise<Optional<Response>> answer = Promise.promise();
  final int slot;
  final long bytes;
  final long deadlineNanos;
  private boolean whole;
  private boolean asking;
  private boolean optional;
  private boolean late;
  private long lateAtNanos;
  private int resends;

  private Call(
      String operation,
      Kind kind,
      Optional<RedisScript> script,
      String command,
      Object[] words,
      int slot,
      long deadlineNanos) {
    this.operation = operation;
    this.kind = kind;
    this.script = script;
    this.command = command;
    this.words = words;
    this.slot = slot;
    this.bytes = bytes(words);
    this.deadlineNanos = deadlineNanos;
  }

  /** Calls a script: first the number of keys, then keys and arguments, as texts or bytes. */
  static Call of(
      String operation,
      Kind kind,
      RedisScript script,
      Object[] words,
      int slot,
      long deadlineNanos) {
    Optional<RedisScript> some = Optional.of(script);
    return new Call(operation, kind, some, "", words, slot, deadlineNanos);
  }

  /** Calls a command, named in capitals; the slot is {@link SlotMap#ANY} where it names no key. */
  static Call of(
      String operation, Kind kind, String command, Object[] words, int slot, long deadlineNanos) {
    return new Call(operation, kind, Optional.empty(), command, words, slot, deadlineNanos);
  }

  private static long bytes(Object[] words) {
    long bytes = 0;
    for (Object word : words) {
      bytes += 16 + (word instanceof byte[] raw ? raw.length : word.toString().length());
    }
    return bytes;
  }

  /** Appends what to send now: a script by its name, or whole once the server did not know it. */
  void encode(Buffer to) {
    if (script.isEmpty()) {
      Words.begin(to, 1 + words.length);
      Words.put(to, command);
    } else {
      Words.begin(to, 2 + words.length);
      Words.put(to, whole ? "EVAL" : "EVALSHA");
      Words.put(to, whole ? script.get().text() : script.get().sha1());
    }
    for (Object word : words) {
      Words.put(to, word);
    }
  }

  /** From now on the script is sent whole. */
  void sendWhole() {
    whole = true;
  }

  /** It is only asked to be sure: a server that forbids it, or does not have it, answers nil. */
  Call optional() {
    optional = true;
    return this;
  }

  boolean isOptional() {
    return optional;
  }

  Kind kind() {
    return kind;
  }

  /** The next sending is announced by {@code ASKING}: its slot is on the move. */
  void sendAsking() {
    asking = true;
  }

  /** Whether this sending is to be announced. */
  boolean takeAsking() {
    boolean was = asking;
    asking = false;
    return was;
  }

  /** What announces this sending. */
  Call asking() {
    Call asking = of("asking", Kind.READS, "ASKING", NO_WORDS, SlotMap.ANY, deadlineNanos);
    asking.late = late;
    asking.lateAtNanos = lateAtNanos;
    return asking;
  }

  /** It is being sent some time after it came. */
  void sentLate(long nowNanos) {
    late = true;
    lateAtNanos = nowNanos;
  }

  /** Whether it was sent late, and so lately. */
  boolean wasSentWithin(long nanos, long nowNanos) {
    return late && nowNanos - lateAtNanos < nanos;
  }

  /** Counts a resending; false when it was one too many. */
  boolean mayResend() {
    return resends++ < MAX_RESENDS;
  }

  /**
   * Takes the calls that are late out of those that wait, for the caller to fail: whoever hears of
   * a failure may call again at once, which must not meet a collection that is being walked.
   */
  static List<Call> takeOverdue(Collection<Call> waiting, long nowNanos) {
    List<Call> late = waiting.stream().filter(it -> it.isOverdue(nowNanos)).toList();
    waiting.removeIf(it -> it.isOverdue(nowNanos));
    return late;
  }

  /** Whether it has waited too long. */
  boolean isOverdue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  Future<Optional<Response>> future() {
    return answer.future();
  }

  void succeed(Optional<Response> response) {
    answer.tryComplete(response);
  }

  /** Ends it; the message says of which operation and why. */
  void fail(Outcome outcome, String reason) {
    fail(outcome, reason, null);
  }

  /** Ends it for an error that the server answered. */
  void fail(Outcome outcome, RefusedCall refused) {
    fail(outcome, String.valueOf(refused.getMessage()), refused);
  }

  private void fail(Outcome outcome, String reason, @Nullable Throwable cause) {
    Outcome told = kind == Kind.READS ? Outcome.NOT_DONE : outcome;
    String hint =
        told == Outcome.NOT_DONE
            ? "nothing was done, a retry is safe"
            : "it may have been done; send the same again";
    String message = operation + ": " + reason + "; " + hint;
    answer.tryFail(
        cause == null
            ? new StoreException(told, message)
            : new StoreException(told, message, cause));
  }
}
