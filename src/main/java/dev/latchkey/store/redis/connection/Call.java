package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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

  final Kind kind;
  final int slot;
  final long bytes;
  final long deadlineNanos;
  private final String operation;
  private final List<Object> words;
  private final Promise<Optional<Response>> result = Promise.promise();
  private Optional<RedisScript> script = Optional.empty();
  private boolean optional;
  private boolean asking;
  private long sentAtNanos;
  private int resends;

  private Call(String operation, Kind kind, List<Object> words, int slot, long deadlineNanos) {
    this.operation = operation;
    this.kind = kind;
    this.words = words;
    this.slot = slot;
    this.deadlineNanos = deadlineNanos;
    long size = 0;
    for (Object word : words) {
      size += 16 + (word instanceof byte[] raw ? raw.length : word.toString().length());
    }
    bytes = size;
  }

  /** Calls a script on the server of its first key; arguments are texts or bytes. */
  static Call of(
      String operation,
      Kind kind,
      RedisScript script,
      List<String> keys,
      List<?> args,
      long deadlineNanos) {
    List<Object> words = new ArrayList<>(3 + keys.size() + args.size());
    words.addAll(List.of("EVALSHA", script.sha1(), Integer.toString(keys.size())));
    words.addAll(keys);
    words.addAll(args);
    Call call = new Call(operation, kind, words, SlotMap.slotOf(keys.get(0)), deadlineNanos);
    call.script = Optional.of(script);
    return call;
  }

  /** Calls a command; the slot is {@link SlotMap#ANY} if it names no key. */
  static Call of(String operation, Kind kind, int slot, long deadlineNanos, String... words) {
    return new Call(operation, kind, List.of((Object[]) words), slot, deadlineNanos);
  }

  void encode(Buffer to) {
    RespEncoder.command(to, words);
  }

  /** From now on the script is sent as text, since the server does not know its hash. */
  void sendWhole() {
    script.ifPresent(
        it -> {
          words.set(0, "EVAL");
          words.set(1, it.text());
        });
  }

  /** The call succeeds with nil if the server forbids it or does not have the command. */
  Call optional() {
    optional = true;
    return this;
  }

  boolean isOptional() {
    return optional;
  }

  /** The next sending follows an {@code ASKING}: its slot is being moved. */
  void sendAsking() {
    asking = true;
  }

  /** Returns once the {@code ASKING} to send before this call, if any. */
  Optional<Call> takeAsking() {
    if (!asking) {
      return Optional.empty();
    }
    asking = false;
    Call before = of("asking", Kind.READS, SlotMap.ANY, deadlineNanos, "ASKING");
    before.sentAtNanos = sentAtNanos;
    return Optional.of(before);
  }

  void sentAt(long nowNanos) {
    sentAtNanos = nowNanos;
  }

  boolean wasSentWithin(long nanos, long nowNanos) {
    return nowNanos - sentAtNanos < nanos;
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
  void fail(ServerError error) {
    boolean broken = error.meaning() == ServerError.Meaning.BROKEN;
    fail(broken ? Outcome.UNKNOWN : Outcome.NOT_DONE, error.text(), new RefusedCall(error));
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

  /** Decodes the result. If that fails, the outcome is unknown. */
  <R> R decode(Response response, Function<Response, R> reader) {
    try {
      return reader.apply(response);
    } catch (RuntimeException unreadable) {
      throw new StoreException(
          Outcome.UNKNOWN, operation + ": unreadable result: " + unreadable, unreadable);
    }
  }

  StoreException nil() {
    return new StoreException(Outcome.UNKNOWN, operation + ": the result is nil");
  }
}
