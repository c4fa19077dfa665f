package dev.latchkey.psp;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.JournalRecord.Answered;
import dev.latchkey.psp.JournalRecord.Attempted;
import dev.latchkey.psp.JournalRecord.Delivered;
import dev.latchkey.psp.JournalRecord.Duplicates;
import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Invalid;
import dev.latchkey.psp.PspAnswer.KeyReused;
import dev.latchkey.psp.PspAnswer.NotFound;
import dev.latchkey.psp.PspAnswer.ReplyLost;
import dev.latchkey.psp.PspAnswer.Unavailable;
import dev.latchkey.psp.PspCallState.Finished;
import dev.latchkey.psp.PspCallState.InFlight;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A payment service provider that moves no money: charges, captures, cancels, refunds and disputes
 * by the rules of a real one, with idempotency keys that live as long as it does. Nothing is
 * undone, or done twice, because a caller went away.
 *
 * <p>Safe for use by any thread: one lock guards the state and is held for a few map operations,
 * never while something is written or waited for. Futures complete on whichever thread made them
 * ready. An answer is given once the change is in the journal, and so is a read that shows it.
 */
public final class PspSimulator {
  static final int MAX_UNDELIVERED_EVENTS = 10_000;

  private final Object lock = new Object();
  private final Map<String, PspCallState> keys = new HashMap<>();
  private final PspBooks books = new PspBooks();
  private final Journal journal;
  private final PspRoom room;
  private final DelayScheduler scheduler;
  private final PspDecisions decisions;
  private volatile Consumer<PspEvent> eventListener = event -> {};
  private long duplicates;
  private long journaledDuplicates;

  PspSimulator(
      Journal journal, PspRoom room, DelayScheduler scheduler, PspIds ids, boolean emitsEvents) {
    this.journal = journal;
    this.room = room;
    this.scheduler = scheduler;
    decisions = new PspDecisions(books, ids, emitsEvents);
  }

  /**
   * A simulator that keeps everything in memory and emits no events.
   *
   * @param budget counts what it keeps; a bounded while after it is spent, new keys are refused as
   *     unavailable, known ones are still answered
   * @param scheduler times {@code pm_slow_N}
   * @return the simulator
   */
  public static PspSimulator inMemory(MemoryBudget budget, DelayScheduler scheduler) {
    return new PspSimulator(Journal.NONE, PspRoom.of(budget), scheduler, PspIds.secure(), false);
  }

  /**
   * Counts so far. What was answered once is never taken back, also over a restart with a journal.
   *
   * @return the counts; fails only when the journal cannot be written
   */
  public Future<PspStats> stats() {
    synchronized (lock) {
      if (duplicates > journaledDuplicates) {
        // Suppressed duplicates are written only when somebody looks: retries cost no disk.
        journal.append(new Duplicates(duplicates));
        journaledDuplicates = duplicates;
      }
      PspStats stats = books.stats(duplicates);
      return journal.settled().map(stats);
    }
  }

  Future<Optional<SimulatedCharge>> charge(String id) {
    synchronized (lock) {
      Optional<SimulatedCharge> charge = books.charge(id);
      return journal.settled().map(charge);
    }
  }

  Future<List<SimulatedCharge>> chargesOf(String key) {
    synchronized (lock) {
      List<SimulatedCharge> charges = books.chargesOf(key);
      return journal.settled().map(charges);
    }
  }

  /** Takes a record of the journal as it is read at the start, before any call. */
  void recover(JournalRecord record) {
    synchronized (lock) {
      books.apply(record);
      if (record instanceof Answered answered) {
        answered
            .key()
            .ifPresent(k -> keys.put(k, new Finished(answered.call(), answered.answer())));
        room.keep(answered.key());
      } else if (record instanceof Attempted attempted) {
        keys.put(attempted.key(), new PspCallState.Attempted(attempted.call()));
        room.keep(Optional.of(attempted.key()));
      } else if (record instanceof Duplicates counted) {
        duplicates = counted.total();
        journaledDuplicates = duplicates;
      }
    }
  }

  /** Tells every durable event from now on; returns those not delivered yet. */
  List<PspEvent> onEvent(Consumer<PspEvent> listener) {
    synchronized (lock) {
      eventListener = listener;
      return books.undelivered();
    }
  }

  Future<Void> delivered(String eventId) {
    synchronized (lock) {
      Delivered record = new Delivered(eventId);
      books.apply(record);
      return journal.append(record);
    }
  }

  /**
   * Does what is asked, once per key.
   *
   * @param key may be left out for a dispute only
   * @return the answer, the same for every call with this key; never fails
   */
  Future<PspAnswer> call(Optional<String> key, PspCall call) {
    Optional<String> fault = call.fault();
    if (fault.isPresent()) {
      return Future.succeededFuture(new Invalid(fault.get()));
    }
    if (key.isEmpty() && !(call instanceof PspCall.Dispute)) {
      return Future.succeededFuture(new Invalid("an idempotency key is required"));
    }
    InFlight begun;
    synchronized (lock) {
      Optional<PspCallState> known = key.map(keys::get);
      Optional<Future<PspAnswer>> earlier = known.flatMap(state -> earlierAnswer(state, call));
      if (earlier.isPresent()) {
        return earlier.get();
      }
      Optional<Future<PspAnswer>> refusal = refuse(key, known, call);
      if (refusal.isPresent()) {
        return refusal.get();
      }
      begun = new InFlight(call, Promise.promise());
      key.ifPresent(k -> keys.put(k, begun));
      if (known.isEmpty()) {
        room.keep(key);
      }
    }
    return run(key, begun);
  }

  private Optional<Future<PspAnswer>> earlierAnswer(PspCallState known, PspCall call) {
    if (!known.call().equals(call)) {
      String detail = "the key was first used with other parameters; use a new key for this call";
      return Optional.of(Future.succeededFuture(new KeyReused(detail)));
    }
    if (known instanceof Finished finished) {
      duplicates++;
      return Optional.of(Future.succeededFuture(finished.answer()));
    }
    if (known instanceof InFlight inFlight) {
      duplicates++;
      return Optional.of(inFlight.answer().future());
    }
    return Optional.empty();
  }

  /** Answers what is not begun at all. Only the flaky refusal leaves a trace. */
  private Optional<Future<PspAnswer>> refuse(
      Optional<String> key, Optional<PspCallState> known, PspCall call) {
    if (known.isEmpty() && (room.isSpent() || !journal.hasRoom())) {
      return unavailable("the simulator is full; known keys are still answered");
    }
    if (decisions.eventOf(call).isPresent() && books.undeliveredCount() >= MAX_UNDELIVERED_EVENTS) {
      return unavailable(MAX_UNDELIVERED_EVENTS + " events wait for delivery; retry later");
    }
    if (call instanceof PspCall.Charge charge) {
      return refuseCharge(key.orElseThrow(), known, charge);
    }
    if (call instanceof PspCall.OnCharge on && books.charge(on.charge()).isEmpty()) {
      String detail = "no charge " + on.charge() + " is known";
      return Optional.of(Future.succeededFuture(new NotFound(detail)));
    }
    return Optional.empty();
  }

  private Optional<Future<PspAnswer>> refuseCharge(
      String key, Optional<PspCallState> known, PspCall.Charge charge) {
    TestPaymentMethod method = TestPaymentMethod.parse(charge.paymentMethod()).orElseThrow();
    if (method instanceof TestPaymentMethod.Unavailable) {
      return unavailable("the PSP is unavailable; retry with the same key");
    }
    if (method instanceof TestPaymentMethod.Flaky && known.isEmpty()) {
      keys.put(key, new PspCallState.Attempted(charge));
      room.keep(Optional.of(key));
      PspAnswer answer = new Unavailable("the PSP stumbled; retry with the same key");
      // Without a journal that can be written the answer is the same: not now.
      return Optional.of(journal.append(new Attempted(key, charge)).map(answer).otherwise(answer));
    }
    return Optional.empty();
  }

  private Future<PspAnswer> run(Optional<String> key, InFlight begun) {
    Optional<TestPaymentMethod> method =
        begun.call() instanceof PspCall.Charge charge
            ? TestPaymentMethod.parse(charge.paymentMethod())
            : Optional.empty();
    long delayMillis =
        method.filter(m -> m instanceof TestPaymentMethod.Slow).isPresent()
            ? ((TestPaymentMethod.Slow) method.get()).delayMillis()
            : 0;
    if (delayMillis > 0) {
      scheduler.after(delayMillis, () -> settle(key, begun));
    } else {
      settle(key, begun);
    }
    Future<PspAnswer> answer = begun.answer().future();
    boolean losesReply = method.filter(m -> m instanceof TestPaymentMethod.LostReply).isPresent();
    return losesReply ? answer.map(a -> a instanceof Approved ? new ReplyLost() : a) : answer;
  }

  private void settle(Optional<String> key, InFlight begun) {
    Answered record;
    Future<Void> durable;
    synchronized (lock) {
      record = decisions.decide(key, begun.call());
      books.apply(record);
      durable = journal.append(record);
    }
    durable.onComplete(
        done -> {
          if (done.failed()) {
            // It may be on disk or not, so nothing is said about it until a restart finds out.
            begun.answer().complete(new Unavailable("the journal cannot be written"));
            return;
          }
          synchronized (lock) {
            key.ifPresent(k -> keys.put(k, new Finished(begun.call(), record.answer())));
          }
          begun.answer().complete(record.answer());
          record.event().ifPresent(eventListener);
        });
  }

  private static Optional<Future<PspAnswer>> unavailable(String detail) {
    return Optional.of(Future.succeededFuture(new Unavailable(detail)));
  }
}
