package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls to one server that have no result yet. Confined to one event loop. */
final class OutstandingCalls {

  private final RedisAddress address;
  private final ArrayDeque<Call> queued = new ArrayDeque<>();
  private final ArrayDeque<Call> sent = new ArrayDeque<>();

  OutstandingCalls(RedisAddress address) {
    this.address = address;
  }

  boolean isEmpty() {
    return queued.isEmpty() && sent.isEmpty();
  }

  /** Whether the server owes a response. */
  boolean areSent() {
    return !sent.isEmpty();
  }

  /** Adds a call that waits for a connection. */
  void queue(Call call) {
    queued.add(call);
  }

  /** Removes the next call that waits for a connection. */
  @Nullable Call pollQueued() {
    return queued.poll();
  }

  /** Adds a call that is sent. */
  void sent(Call call) {
    sent.add(call);
  }

  /** Removes the call that the next response belongs to. */
  @Nullable Call pollSent() {
    return sent.poll();
  }

  /**
   * Fails overdue calls.
   *
   * @param recentNanos calls that were sent less than this ago say nothing about the server
   * @return whether the server must be considered dead, since it owes a response
   */
  boolean failOverdue(long nowNanos, long recentNanos) {
    boolean dead = false;
    List<Call> recent = new ArrayList<>();
    for (Call call : sent) {
      if (call.isOverdue(nowNanos)) {
        boolean isRecent = call.wasSentWithin(recentNanos, nowNanos);
        dead |= !isRecent;
        if (isRecent) {
          recent.add(call);
        }
      }
    }
    recent.forEach(it -> it.fail(Outcome.UNKNOWN, "no response in the rest of its time"));
    Call.takeOverdue(queued, nowNanos)
        .forEach(it -> it.fail(Outcome.NOT_DONE, "no connection to " + address + " in time"));
    return dead;
  }

  /** Fails every call: the connection is gone. */
  void failAll(String reason) {
    List<Call> open = List.copyOf(sent);
    List<Call> unsent = List.copyOf(queued);
    sent.clear();
    queued.clear();
    open.forEach(
        call -> call.fail(Outcome.UNKNOWN, "the connection to " + address + " broke: " + reason));
    unsent.forEach(
        call -> call.fail(Outcome.NOT_DONE, "no connection to " + address + ": " + reason));
  }
}
