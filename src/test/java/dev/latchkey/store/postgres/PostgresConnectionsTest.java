package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The connections of a store: their number, and the one that listens. */
class PostgresConnectionsTest {

  private PostgresNodes nodes;

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void watchingWorksWhileTheListeningConnectionCannotBeMade() {
    PgConnectOptions nowhere = new PgConnectOptions(nodes.database.connectOptions()).setPort(1);
    PostgresStore store =
        PostgresStore.create(
            nodes.vertx,
            nodes.database.connectOptions(),
            nowhere,
            PostgresNodes.patient(),
            nodes.effects);
    LinkedBlockingQueue<Notification> notifications = new LinkedBlockingQueue<>();
    store.subscribe(notifications::add);
    StoreCalls calls = new StoreCalls(store);
    Attempt attempt = Attempt.atNewKey();
    calls.claimed(attempt);

    assertThat(calls.watch(attempt)).isInstanceOf(KeyState.InProgress.class);

    assertThat(nodes.database.value("SELECT awaited FROM latchkey_key")).isEqualTo("t");
    calls.completed(attempt);
    assertThat(notifications).isEmpty();
    await(store.close());
  }

  @Test
  void listensAtItsOwnAddress() {
    PgConnectOptions listen =
        new PgConnectOptions(nodes.database.connectOptions()).setHost("localhost");
    PostgresStore store =
        PostgresStore.create(
            nodes.vertx,
            nodes.database.connectOptions(),
            listen,
            PostgresNodes.patient(),
            nodes.effects);

    StoreCalls.eventually(store::listening);

    await(store.close());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 8})
  void opensNoMoreConnectionsThanAllowed(int max) {
    PostgresStore store =
        nodes.open(
            PostgresNodes.patient().setMaxConnections(max).setApplicationName("limited " + max));
    String open =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'limited " + max + "'";
    List<Attempt> attempts = Stream.generate(Attempt::atNewKey).limit(50).toList();
    attempts.forEach(new StoreCalls(store)::claimed);
    List<Effect> two = List.of(nodes.effects.counts("one"), nodes.effects.counts("two"));
    List<Supplier<Future<CompleteResult>>> calls =
        attempts.stream()
            .<Supplier<Future<CompleteResult>>>map(
                it -> () -> store.complete(it.claim(), StoreCalls.CREATED, two))
            .toList();

    assertThat(nodes.atOnce(calls)).allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));

    assertThat(new StoreCalls(store).lookup(attempts.get(0)))
        .isInstanceOf(KeyState.Completed.class);
    await(store.purgeExpired(10));
    assertThat(Integer.parseInt(nodes.database.value(open))).isBetween(3, max);
  }
}
