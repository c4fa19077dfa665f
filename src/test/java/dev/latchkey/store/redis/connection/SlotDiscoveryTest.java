package dev.latchkey.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.ParserHandler;
import io.vertx.redis.client.impl.RESPParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The slots of a cluster of which one master was cut off and replaced. */
class SlotDiscoveryTest {

  private static final RedisAddress ISOLATED = new RedisAddress("isolated", 1);
  private static final RedisAddress STAYING = new RedisAddress("staying", 1);
  private static final RedisAddress PROMOTED = new RedisAddress("promoted", 1);

  private final SlotMap slots = new SlotMap(List.of(ISOLATED, STAYING));
  private final Map<RedisAddress, Promise<Optional<Response>>> asked = new HashMap<>();
  private final Set<RedisAddress> gone = new HashSet<>();
  private final SlotDiscovery discovery = new SlotDiscovery(slots, this::ask, gone::addAll);

  private Future<Optional<Response>> ask(RedisAddress server) {
    return asked.computeIfAbsent(server, it -> Promise.promise()).future();
  }

  /** All slots up to the given one belong to the first server, the others to the staying one. */
  private static Optional<Response> slotsOf(RedisAddress first) {
    return parsed(
        "*2\r\n" + range(0, 8_191, first.host()) + range(8_192, SlotMap.SLOTS - 1, STAYING.host()));
  }

  private static Optional<Response> parsed(String text) {
    List<Response> parsed = new ArrayList<>();
    new RESPParser(
            new ParserHandler() {
              @Override
              public void handle(Response response) {
                parsed.add(response);
              }

              @Override
              public void fail(Throwable unreadable) {
                throw new AssertionError(unreadable);
              }
            },
            16)
        .handle(Buffer.buffer(text));
    return Optional.of(parsed.get(0));
  }

  private static String range(int from, int to, String host) {
    return "*3\r\n:%d\r\n:%d\r\n*2\r\n$%d\r\n%s\r\n:1\r\n".formatted(from, to, host.length(), host);
  }

  private void respond(RedisAddress server, Optional<Response> response) {
    asked.remove(server).complete(response);
  }

  @Test
  void firstResponseCountsAndLaterOnesAreIgnored() {
    discovery.run();
    respond(STAYING, slotsOf(PROMOTED));

    respond(ISOLATED, slotsOf(ISOLATED));

    assertThat(slots.masters()).containsExactlyInAnyOrder(PROMOTED, STAYING);
  }

  @Test
  void serverThatLeftTheClusterTellsNothing() {
    discovery.run();
    respond(STAYING, slotsOf(ISOLATED));
    asked.clear();

    discovery.run();
    respond(ISOLATED, parsed("*0\r\n"));
    respond(STAYING, slotsOf(STAYING));

    assertThat(slots.masters()).containsExactly(STAYING);
    assertThat(gone).containsExactly(ISOLATED);
  }

  @Test
  void emptyClusterIsLearnedWithoutAnOwner() {
    Future<Void> run = discovery.run();

    respond(STAYING, parsed("*0\r\n"));
    respond(ISOLATED, Optional.empty());

    assertThat(run.succeeded()).isTrue();
    assertThat(slots.masters()).isEmpty();
  }

  @Test
  void serverThatSaidClusterDownIsNotAsked() {
    discovery.run();
    respond(ISOLATED, slotsOf(ISOLATED));
    asked.clear();
    slots.isDown(ISOLATED, System.nanoTime());

    discovery.run();

    assertThat(asked).containsOnlyKeys(STAYING);
    respond(STAYING, slotsOf(PROMOTED));
    assertThat(gone).containsExactly(ISOLATED);
  }

  @Test
  void allServersAreAskedIfEachSaidClusterDown() {
    slots.isDown(ISOLATED, System.nanoTime());
    slots.isDown(STAYING, System.nanoTime());

    discovery.run();

    assertThat(asked).containsOnlyKeys(ISOLATED, STAYING);
  }
}
