package dev.latchkey.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The names for the check whether servers accept writes. */
class ServerCheckTest {

  private static final RedisAddress LARGE = new RedisAddress("large", 1);
  private static final RedisAddress SMALL = new RedisAddress("small", 1);

  /** Two servers, of which one has a single slot. */
  private static SlotMap slots(int small) {
    SlotMap slots = new SlotMap(List.of(LARGE));
    for (int slot = 0; slot < SlotMap.SLOTS; slot++) {
      slots.moved(slot, slot == small ? SMALL : LARGE);
    }
    return slots;
  }

  private static int slot(int name) {
    return SlotMap.slotOf(ServerCheck.probeName(name));
  }

  /** Numbers of names, in order, each the first of its slot. */
  private static IntStream firstOfItsSlot() {
    Set<Integer> seen = new HashSet<>();
    return IntStream.range(0, 2 * ServerCheck.MOST_NAMES).filter(name -> seen.add(slot(name)));
  }

  @Test
  void serverIsFoundByTheLastNameTried() {
    int last =
        firstOfItsSlot().takeWhile(name -> name < ServerCheck.MOST_NAMES).max().orElseThrow();

    assertThat(ServerCheck.nameOnEachServer(slots(slot(last))))
        .containsOnlyKeys(LARGE, SMALL)
        .containsEntry(SMALL, ServerCheck.probeName(last));
  }

  @Test
  void serverWithFewSlotsMayGetNoName() {
    int first =
        firstOfItsSlot().dropWhile(name -> name < ServerCheck.MOST_NAMES).findFirst().orElseThrow();

    assertThat(ServerCheck.nameOnEachServer(slots(slot(first)))).containsOnlyKeys(LARGE);
  }

  @Test
  void singleServerGetsOneName() {
    assertThat(ServerCheck.nameOnEachServer(new SlotMap(List.of(SMALL))))
        .containsExactly(Map.entry(SMALL, ServerCheck.probeName(0)));
  }
}
