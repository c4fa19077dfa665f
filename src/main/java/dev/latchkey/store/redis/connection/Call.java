package dev.latchkey.store.redis.connection;

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

/** An outstanding call. Its first result counts. Confined to the event loop that sends it. */
final class Call {

  /** What a call does to the server, as known before it is sent. */
  enum Kind {
    /** Only reads, so a failure leaves nothing done. */
    READS,
    /** Writes depending on what it finds. */
    MAY_WRITE,
    /** Always writes, so its success shows that the server accepts writes. */
    WRITES
  }

  private static final int MAX_RESENDS = 8;
  private static final Object[] NO_ARGUMENTS = {};

  private final String operation;
  private final Kind kind;
  private final Optional<RedisScript> script;
  private final String command;
  private final Object[] arguments;
  private final Promise<Optional<Response>> result = Promise.promise();
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
      Object[] arguments,
      int slot,
      long deadlineNanos) {
    this.operation = operation;
    this.kind = kind;
    this.script = script;
    this.command = command;
    this.arguments = arguments;
    this.slot = slot;
    this.bytes = bytes(arguments);
    this.deadlineNanos = deadlineNanos;
  }

  /** Calls a script: the number of keys, then keys and arguments, as texts or bytes. */
  static Call of(
      String operation,
      Kind kind,
      RedisScript script,
      Object[] arguments,
      int slot,
      long deadlineNanos) {
    Optional<RedisScript> some = Optional.of(script);
    return new Call(operation, kind, some, "", arguments, slot, deadlineNanos);
  }

  /** Calls a command, in capitals; the slot is {@link SlotMap#ANY} if it names no key. */
  static Call of(
      String operation,
      Kind kind,
      String command,
      Object[] arguments,
      int slot,
      long deadlineNanos) {
    return new Call(operation, kind, Optional.empty(), command, arguments, slot, deadlineNanos);
  }

  private static long bytes(Object[] arguments) {
    long bytes = 0;
    for (Object argument : arguments) {
      bytes += 16 + (argument instanceof byte[] raw ? raw.length : argument.toString().length());
    }
    return bytes;
  }

  /** Appends what to send: a script by its hash, or whole if the server does not know it. */
  void encode(Buffer to) {
    if (script.isEmpty()) {
      RespEncoder.begin(to, 1 + arguments.length);
      RespEncoder.put(to, command);
    } else {
      RespEncoder.begin(to, 2 + arguments.length);
      RespEncoder.put(to, whole ? "EVAL" : "EVALSHA");
      RespEncoder.put(to, whole ? script.get().text() : script.get().sha1());
    }
    for (Object argument : arguments) {
      RespEncoder.put(to, argument);
    }
  }

  /** From now on the script is sent whole. */
  void sendWhole() {
    whole = true;
  }

  /** The call succeeds with nil if the server forbids it or does not have the command. */
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

  /** The next sending follows an {@code ASKING}: its slot is being moved. */
  void sendAsking() {
    asking = true;
  }

  /** Returns once whether this sending follows an {@code ASKING}. */
  boolean takeAsking() {
    boolean was = asking;
    asking = false;
    return was;
  }

  /** The {@code ASKING} before this call. */
  Call asking() {
    Call asking = of("asking", Kind.READS, "ASKING", NO_ARGUMENTS, SlotMap.ANY, deadlineNanos);
    asking.late = late;
    asking.lateAtNanos = lateAtNanos;
    return asking;
  }

  /** It is sent some time after it was made. */
  void sentLate(long nowNanos) {
    late = true;
    lateAtNanos = nowNanos;
  }

  /** Whether it was sent late, and less than this ago. */
  boolean wasSentWithin(long nanos, long nowNanos) {
    return late && nowNanos - lateAtNanos < nanos;
  }

  /** Counts a resending; false beyond the bound. */
  boolean mayResend() {
    return resends++ < MAX_RESENDS;
  }

  /**
   * Removes overdue calls from a collection, for the caller to fail them afterwards: a handler of a
   * failure may add a call, which must not happen during the iteration.
   */
  static List<Call> takeOverdue(Collection<Call> waiting, long nowNanos) {
    List<Call> overdue = waiting.stream().filter(it -> it.isOverdue(nowNanos)).toList();
    waiting.removeIf(it -> it.isOverdue(nowNanos));
    return overdue;
  }

  boolean isOverdue(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  Future<Optional<Response>> future() {
    return result.future();
  }

  void succeed(Optional<Response> response) {
    result.tryComplete(response);
  }

  void fail(Outcome outcome, String reason) {
    fail(outcome, reason, null);
  }

  /** Fails it with an error of the server. */
  void fail(Outcome outcome, RefusedCall refused) {
    fail(outcome, String.valueOf(refused.getMessage()), refused);
  }

  private void fail(Outcome outcome, String reason, @Nullable Throwable cause) {
    Outcome known = kind == Kind.READS ? Outcome.NOT_DONE : outcome;
    String hint =
        known == Outcome.NOT_DONE
            ? "nothing was done, a retry is safe"
            : "it may have been done; repeat the call";
    String message = operation + ": " + reason + "; " + hint;
    result.tryFail(
        cause == null
            ? new StoreException(known, message)
            : new StoreException(known, message, cause));
  }
}
