package dev.latchkey.psp.simulator;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.simulator.JournalEntry.Delivered;
import dev.latchkey.psp.simulator.JournalEntry.Duplicates;
import dev.latchkey.psp.simulator.JournalEntry.Finished;
import dev.latchkey.psp.simulator.JournalEntry.FlakyRefusal;
import dev.latchkey.psp.simulator.SimulatorResult.Approved;
import dev.latchkey.psp.simulator.SimulatorResult.Problem;
import dev.latchkey.psp.simulator.SimulatorResult.ResponseLost;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A payment service provider that moves no money. It enforces the states and sums of real charges,
 * and its idempotency keys never expire. A call runs to its end even if its caller disconnects.
 *
 * <p>Safe for use by any thread: one lock guards the state and is held for a few map operations,
 * never during I/O. Futures may complete on any thread. A result is returned once the change is in
 * the journal; a read returns once all changes that it shows are.
 */
public final class PspSimulator {
  static final int MAX_UNDELIVERED_EVENTS = 10_000;

  private final Object lock = new Object();
  private final Map<String, KeyState> keys = new HashMap<>();
  private final SimulatorState state = new SimulatorState();
  private final Journal journal;
  private final KeyMemory memory;
  private final LongFunction<Future<Void>> timer;
  private final boolean emitsEvents;
  private volatile Consumer<SimulatorEvent> eventListener = event -> {};
  private long duplicates;
  private long journaledDuplicates;

  /**
   * The one call of a key.
   *
   * @param result null after the 503 of a flaky charge: the next call executes
   */
  private record KeyState(PspCall call, @Nullable Future<SimulatorResult> result) {}

  PspSimulator(
      Journal journal, KeyMemory memory, LongFunction<Future<Void>> timer, boolean emitsEvents) {
    this.journal = journal;
    this.memory = memory;
    this.timer = timer;
    this.emitsEvents = emitsEvents;
  }

  /**
   * Creates a simulator in memory that emits no events.
   *
   * @param vertx times {@code pm_slow_N}
   * @param budget counts its memory; soon after it is spent, new keys get 503
   * @return the simulator
   */
  public static PspSimulator inMemory(Vertx vertx, MemoryBudget budget) {
    return new PspSimulator(new Journal(), KeyMemory.of(budget), timer(vertx), false);
  }

  static LongFunction<Future<Void>> timer(Vertx vertx) {
    return millis -> vertx.timer(millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Creates a gateway to this simulator without a network.
   *
   * @param vertx the instance to run on
   * @param timeoutMillis limit for a call's response, retries included; positive
   * @return the gateway
   * @throws IllegalArgumentException if the timeout is not positive
   */
  public PspGateway gateway(Vertx vertx, long timeoutMillis) {
    return PspGateway.over(vertx, new InProcessTransport(vertx, this), timeoutMillis);
  }

  /**
   * Returns the counts. With a journal they never decrease, even after a restart.
   *
   * @return the counts; fails only if the journal cannot be written
   */
  public Future<SimulatorStats> stats() {
    synchronized (lock) {
      if (duplicates > journaledDuplicates) {
        // Written only when the counts are read, so that suppressed duplicates cost no write.
        journal.append(new Duplicates(duplicates));
        journaledDuplicates = duplicates;
      }
      return journal.flushed().map(state.stats(duplicates));
    }
  }

  Future<Optional<SimulatedCharge>> charge(String id) {
    synchronized (lock) {
      return journal.flushed().map(state.charge(id));
    }
  }

  Future<List<SimulatedCharge>> chargesOf(String key) {
    synchronized (lock) {
      return journal.flushed().map(state.chargesOf(key));
    }
  }

  /** Applies an entry of the journal at startup, before any call. */
  void recover(JournalEntry entry) {
    synchronized (lock) {
      state.apply(entry);
      if (entry instanceof Finished finished) {
        remember(
            finished.key(),
            new KeyState(finished.call(), Future.succeededFuture(finished.result())));
      } else if (entry instanceof FlakyRefusal refusal) {
        remember(refusal.key(), new KeyState(refusal.call(), null));
      } else if (entry instanceof Duplicates counted) {
        duplicates = counted.total();
        journaledDuplicates = duplicates;
      }
    }
  }

  private void remember(@Nullable String key, KeyState call) {
    if (key == null || keys.put(key, call) == null) {
      memory.add(key);
    }
  }

  /** Registers the listener for durable events; returns the undelivered ones. */
  List<SimulatorEvent> onEvent(Consumer<SimulatorEvent> listener) {
    synchronized (lock) {
      eventListener = listener;
      return state.undelivered();
    }
  }

  Future<Void> delivered(String eventId) {
    synchronized (lock) {
      state.apply(new Delivered(eventId));
      return journal.append(new Delivered(eventId));
    }
  }

  /**
   * Executes a call once per key, which only a dispute may omit.
   *
   * @return the result, the same for every call with this key; never fails
   */
  Future<SimulatorResult> call(@Nullable String key, PspCall call) {
    Optional<String> fault = ChargeRules.fault(key, call);
    if (fault.isPresent()) {
      return problem(400, fault.get());
    }
    Promise<SimulatorResult> promise = Promise.promise();
    synchronized (lock) {
      KeyState known = key == null ? null : keys.get(key);
      if (known != null && !known.call().equals(call)) {
        return problem(422, "the key was used for another call; use a new key");
      }
      if (known != null && known.result() != null) {
        duplicates++;
        return known.result();
      }
      Optional<Future<SimulatorResult>> refusal = refuse(key, known == null, call);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      remember(key, new KeyState(call, promise.future()));
    }
    return execute(key, call, promise);
  }

  /** Refuses a call without executing it. Only a flaky refusal changes the state. */
  private Optional<Future<SimulatorResult>> refuse(
      @Nullable String key, boolean isNewKey, PspCall call) {
    if (isNewKey && (memory.isSpent() || !journal.hasRoom())) {
      return Optional.of(problem(503, "the simulator is full; only known keys get a result"));
    }
    if (emitsEvents
        && SimulatorState.emitsEvent(call)
        && state.undeliveredCount() >= MAX_UNDELIVERED_EVENTS) {
      return Optional.of(problem(503, "too many undelivered events; retry later"));
    }
    if (call instanceof PspCall.OnCharge on && state.charge(on.charge()).isEmpty()) {
      return Optional.of(problem(404, "no such charge: " + on.charge()));
    }
    TestPaymentMethod method = TestPaymentMethod.of(call).orElse(null);
    if (method instanceof TestPaymentMethod.Unavailable) {
      return Optional.of(problem(503, "the PSP is unavailable; retry with the same key"));
    }
    if (isNewKey && key != null && method instanceof TestPaymentMethod.Flaky) {
      remember(key, new KeyState(call, null));
      // The result is the same if the journal cannot be written.
      return Optional.of(
          journal
              .append(new FlakyRefusal(key, call))
              .transform(done -> problem(503, "temporary failure; retry with the same key")));
    }
    return Optional.empty();
  }

  private Future<SimulatorResult> execute(
      @Nullable String key, PspCall call, Promise<SimulatorResult> promise) {
    TestPaymentMethod method = TestPaymentMethod.of(call).orElse(null);
    if (method instanceof TestPaymentMethod.Slow slow && slow.delayMillis() > 0) {
      timer.apply(slow.delayMillis()).onSuccess(elapsed -> finish(key, call, promise));
    } else {
      finish(key, call, promise);
    }
    return method instanceof TestPaymentMethod.LostReply
        ? promise.future().map(r -> r instanceof Approved ? new ResponseLost() : r)
        : promise.future();
  }

  private void finish(@Nullable String key, PspCall call, Promise<SimulatorResult> promise) {
    Finished entry;
    Future<Void> durable;
    synchronized (lock) {
      entry = state.decide(key, call, emitsEvents);
      state.apply(entry);
      durable = journal.append(entry);
    }
    durable
        .onSuccess(
            done -> {
              promise.complete(entry.result());
              SimulatorEvent event = entry.event();
              if (event != null) {
                eventListener.accept(event);
              }
            })
        // The entry may or may not be on disk: the key stays unavailable until a restart.
        .onFailure(e -> promise.complete(new Problem(503, "the journal cannot be written")));
  }

  private static Future<SimulatorResult> problem(int status, String detail) {
    return Future.succeededFuture(new Problem(status, detail));
  }
}
