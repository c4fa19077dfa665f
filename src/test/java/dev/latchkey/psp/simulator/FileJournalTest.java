package dev.latchkey.psp.simulator;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.ManualTime;
import dev.latchkey.psp.PspCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  @TempDir Path directory;

  /** A call, its result, and the length of the journal after it. */
  private record Done(String key, PspCall call, SimulatorResult result, long journalBytes) {}

  private static final class Psp implements AutoCloseable {
    private final Journal journal;
    private final PspSimulator simulator;

    Psp(Path directory) throws IOException {
      List<JournalEntry> entries = new ArrayList<>();
      journal = FileJournal.open(directory, entries::add);
      simulator =
          new PspSimulator(
              journal, KeyMemory.of(new MemoryBudget(Long.MAX_VALUE)), new ManualTime(), true);
      entries.forEach(simulator::recover);
    }

    SimulatorResult call(String key, PspCall call) throws Exception {
      return await(simulator.call(key, call));
    }

    SimulatorStats stats() throws Exception {
      return await(simulator.stats());
    }

    @Override
    public void close() throws Exception {
      await(journal.close());
    }
  }

  private static SimulatedCharge charge(SimulatorResult result) {
    return ((SimulatorResult.Approved) result).charge();
  }

  private static PspCall.Charge visa(boolean capture) {
    return new PspCall.Charge(1_000, "EUR", "pm_card_visa", capture);
  }

  private List<Done> traffic(Psp psp) throws Exception {
    List<Done> done = new ArrayList<>();
    String first = charge(record(psp, done, "k\"1 \\", visa(true))).id();
    String second = charge(record(psp, done, "k2", visa(false))).id();
    record(psp, done, "d", new PspCall.Charge(5, "EUR", "pm_card_declined", true));
    record(psp, done, "r1", new PspCall.Refund(first, 300L, false));
    record(psp, done, "r2", new PspCall.Refund(first, 701L, false));
    record(psp, done, "r3", new PspCall.Refund(first, null, true));
    record(psp, done, "c", new PspCall.Capture(second, null));
    record(psp, done, "x", new PspCall.Cancel(second));
    record(psp, done, "q", new PspCall.Dispute(second));
    return done;
  }

  private SimulatorResult record(Psp psp, List<Done> done, String key, PspCall call)
      throws Exception {
    SimulatorResult result = psp.call(key, call);
    long bytes = Files.size(directory.resolve(JournalFiles.FILE));
    done.add(new Done(key, call, result, bytes));
    return result;
  }

  @Test
  void everyResultBeforeACutOfTheJournalSurvives(@TempDir Path cut) throws Exception {
    List<Done> done;
    try (Psp psp = new Psp(directory)) {
      done = traffic(psp);
    }
    byte[] whole = Files.readAllBytes(directory.resolve(JournalFiles.FILE));
    assertThat(done.get(done.size() - 1).journalBytes()).isEqualTo(whole.length);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(cut.resolve(JournalFiles.FILE), Arrays.copyOf(whole, length));
      int bytes = length;
      List<Done> completed = done.stream().filter(d -> d.journalBytes() <= bytes).toList();
      try (Psp psp = new Psp(cut)) {
        SimulatorStats before = psp.stats();
        for (Done one : completed) {
          assertThat(psp.call(one.key(), one.call())).isEqualTo(one.result());
        }
        assertThat(psp.stats().charges()).isEqualTo(before.charges());
        assertThat(psp.stats().refunds()).isEqualTo(before.refunds());
        assertThat(psp.stats().duplicatesSuppressed()).isEqualTo(completed.size());
      }
    }
  }

  @Test
  void tornEndIsTruncatedBeforeAppending() throws Exception {
    try (Psp psp = new Psp(directory)) {
      psp.call("k1", visa(true));
    }
    Path file = directory.resolve(JournalFiles.FILE);
    Files.write(file, "0badc0de {\"v\":1".getBytes(), java.nio.file.StandardOpenOption.APPEND);
    SimulatorResult second;
    try (Psp psp = new Psp(directory)) {
      second = psp.call("k2", visa(true));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.call("k2", visa(true))).isEqualTo(second);
      assertThat(psp.stats()).isEqualTo(new SimulatorStats(2, 2, 0, 0, 1, 1));
    }
  }

  @Test
  void damageBeforeIntactEntriesFailsTheStart() throws Exception {
    try (Psp psp = new Psp(directory)) {
      psp.call("k1", visa(true));
      psp.call("k2", visa(true));
    }
    Path file = directory.resolve(JournalFiles.FILE);
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> new Psp(directory)).hasMessageContaining("damaged at byte 0");
  }

  @Test
  void directoryIsLockedByOneProcess() throws Exception {
    try (Psp psp = new Psp(directory)) {
      assertThatThrownBy(() -> new Psp(directory)).hasMessageContaining("is in use");
      psp.call("k1", visa(true));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.stats().charges()).isEqualTo(1);
    }
  }

  @Test
  void reportedCountsSurviveARestart() throws Exception {
    SimulatorStats reported;
    try (Psp psp = new Psp(directory)) {
      traffic(psp);
      psp.call("k2", visa(false));
      reported = psp.stats();
      assertThat(reported).isEqualTo(new SimulatorStats(2, 2, 2, 1, 1, 1));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.stats()).isEqualTo(reported);
    }
  }

  @Test
  void eventsAreKeptUntilDelivered() throws Exception {
    List<SimulatorEvent> owed;
    try (Psp psp = new Psp(directory)) {
      traffic(psp);
      owed = psp.simulator.onEvent(event -> {});
      assertThat(owed)
          .extracting(SimulatorEvent::type)
          .containsExactly(SimulatorEvent.REFUNDED, SimulatorEvent.DISPUTED);
      await(psp.simulator.delivered(owed.get(0).id()));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.simulator.onEvent(event -> {})).isEqualTo(owed.subList(1, 2));
    }
  }

  @Test
  void closedJournalMakesCallsUnavailable() throws Exception {
    Psp psp = new Psp(directory);
    psp.close();
    assertThat(psp.call("k", visa(true))).isInstanceOf(SimulatorResult.Problem.class);
    assertThat(psp.call("k", visa(true))).isInstanceOf(SimulatorResult.Problem.class);
  }
}
