package dev.latchkey.psp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.net.MemoryBudget;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  @TempDir Path directory;

  /** A call, what was answered to it, and how long the journal was by then. */
  private record Done(String key, PspCall call, PspAnswer answer, long journalBytes) {}

  private static final class Psp implements AutoCloseable {
    private final Journal journal;
    private final PspSimulator simulator;

    Psp(Path directory) throws IOException {
      List<JournalRecord> records = new ArrayList<>();
      journal = FileJournal.open(directory, records::add);
      simulator =
          new PspSimulator(
              journal,
              PspRoom.of(new MemoryBudget(Long.MAX_VALUE)),
              new ManualTime(),
              PspIds.secure(),
              true);
      records.forEach(simulator::recover);
    }

    PspAnswer call(String key, PspCall call) throws Exception {
      return await(simulator.call(Optional.of(key), call));
    }

    PspStats stats() throws Exception {
      return await(simulator.stats());
    }

    @Override
    public void close() throws Exception {
      await(journal.close());
    }
  }

  private static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private static SimulatedCharge charge(PspAnswer answer) {
    return ((PspAnswer.Approved) answer).charge();
  }

  private static PspCall.Charge visa(boolean capture) {
    return new PspCall.Charge(1_000, "EUR", "pm_card_visa", capture);
  }

  private List<Done> traffic(Psp psp) throws Exception {
    List<Done> done = new ArrayList<>();
    String first = charge(record(psp, done, "k\"1 \\", visa(true))).id();
    String second = charge(record(psp, done, "k2", visa(false))).id();
    record(psp, done, "d", new PspCall.Charge(5, "EUR", "pm_card_declined", true));
    record(psp, done, "r1", new PspCall.Refund(first, OptionalLong.of(300), false));
    record(psp, done, "r2", new PspCall.Refund(first, OptionalLong.of(701), false));
    record(psp, done, "r3", new PspCall.Refund(first, OptionalLong.empty(), true));
    record(psp, done, "c", new PspCall.Capture(second, OptionalLong.empty()));
    record(psp, done, "x", new PspCall.Cancel(second));
    record(psp, done, "q", new PspCall.Dispute(second));
    return done;
  }

  private PspAnswer record(Psp psp, List<Done> done, String key, PspCall call) throws Exception {
    PspAnswer answer = psp.call(key, call);
    long bytes = Files.size(directory.resolve(FileJournal.FILE));
    done.add(new Done(key, call, answer, bytes));
    return answer;
  }

  @Test
  void whereverTheJournalIsCutWhatWasAnsweredIsThere(@TempDir Path cut) throws Exception {
    List<Done> done;
    try (Psp psp = new Psp(directory)) {
      done = traffic(psp);
    }
    byte[] whole = Files.readAllBytes(directory.resolve(FileJournal.FILE));
    assertThat(done.get(done.size() - 1).journalBytes()).isEqualTo(whole.length);
    for (int length = 0; length <= whole.length; length++) {
      Files.write(cut.resolve(FileJournal.FILE), Arrays.copyOf(whole, length));
      int bytes = length;
      List<Done> answered = done.stream().filter(d -> d.journalBytes() <= bytes).toList();
      try (Psp psp = new Psp(cut)) {
        PspStats before = psp.stats();
        for (Done one : answered) {
          assertThat(psp.call(one.key(), one.call())).isEqualTo(one.answer());
        }
        assertThat(psp.stats().charges()).isEqualTo(before.charges());
        assertThat(psp.stats().refunds()).isEqualTo(before.refunds());
        assertThat(psp.stats().duplicatesSuppressed()).isEqualTo(answered.size());
      }
    }
  }

  @Test
  void aTornEndIsCutOffBeforeMoreIsWritten() throws Exception {
    try (Psp psp = new Psp(directory)) {
      psp.call("k1", visa(true));
    }
    Path file = directory.resolve(FileJournal.FILE);
    Files.write(file, "0badc0de {\"v\":1".getBytes(), java.nio.file.StandardOpenOption.APPEND);
    PspAnswer second;
    try (Psp psp = new Psp(directory)) {
      second = psp.call("k2", visa(true));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.call("k2", visa(true))).isEqualTo(second);
      assertThat(psp.stats()).isEqualTo(new PspStats(2, 2, 0, 0, 1, 1));
    }
  }

  @Test
  void damageBeforeWholeRecordsStopsTheStart() throws Exception {
    try (Psp psp = new Psp(directory)) {
      psp.call("k1", visa(true));
      psp.call("k2", visa(true));
    }
    Path file = directory.resolve(FileJournal.FILE);
    byte[] bytes = Files.readAllBytes(file);
    bytes[20] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> new Psp(directory)).hasMessageContaining("damaged at byte 0");
  }

  @Test
  void aDirectoryBelongsToOneProcess() throws Exception {
    try (Psp psp = new Psp(directory)) {
      assertThatThrownBy(() -> new Psp(directory)).hasMessageContaining("is in use");
      psp.call("k1", visa(true));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.stats().charges()).isEqualTo(1);
    }
  }

  @Test
  void countsThatWereToldAreNotForgotten() throws Exception {
    PspStats told;
    try (Psp psp = new Psp(directory)) {
      traffic(psp);
      psp.call("k2", visa(false));
      told = psp.stats();
      assertThat(told).isEqualTo(new PspStats(2, 2, 2, 1, 1, 1));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.stats()).isEqualTo(told);
    }
  }

  @Test
  void undeliveredEventsAreKeptUntilTheyAreDelivered() throws Exception {
    List<PspEvent> owed;
    try (Psp psp = new Psp(directory)) {
      traffic(psp);
      owed = psp.simulator.onEvent(event -> {});
      assertThat(owed)
          .extracting(PspEvent::type)
          .containsExactly(PspEvent.REFUNDED, PspEvent.DISPUTED);
      await(psp.simulator.delivered(owed.get(0).id()));
    }
    try (Psp psp = new Psp(directory)) {
      assertThat(psp.simulator.onEvent(event -> {})).isEqualTo(owed.subList(1, 2));
    }
  }

  @Test
  void whenNothingCanBeWrittenNothingIsPromised() throws Exception {
    Psp psp = new Psp(directory);
    psp.close();
    assertThat(psp.call("k", visa(true))).isInstanceOf(PspAnswer.Unavailable.class);
    assertThat(psp.call("k", visa(true))).isInstanceOf(PspAnswer.Unavailable.class);
  }
}
