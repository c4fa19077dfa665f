package dev.latchkey.psp.simulator;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.PspResult.Approved;
import dev.latchkey.psp.PspResult.Declined;
import dev.latchkey.psp.PspResult.Refused;
import dev.latchkey.psp.PspResult.Rejected;
import dev.latchkey.psp.PspResult.Unavailable;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.StallFreeClock;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Ports;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.NetServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PspGatewayTest {
  private static final long TIMEOUT_MILLIS = 30_000;
  private static final String FIRST = "first";

  private final Vertx vertx = TestVertx.create();
  private final PspSimulator simulator =
      PspSimulator.inMemory(vertx, new MemoryBudget(Long.MAX_VALUE));
  private SimulatorFixture psp;

  enum Transport {
    HTTP,
    IN_PROCESS
  }

  @BeforeEach
  void start() {
    psp = SimulatorFixture.start(vertx);
  }

  @AfterEach
  void stop() {
    psp.close();
    await(vertx.close());
  }

  private PspGateway gateway(Transport transport) {
    return transport == Transport.HTTP
        ? PspGateway.overHttp(vertx, psp.uri(""), TIMEOUT_MILLIS, PspGateway.MAX_CONNECTIONS)
        : simulator.gateway(vertx, TIMEOUT_MILLIS);
  }

  private static Future<PspResult> charge(PspGateway gateway, String key, String method) {
    return gateway.charge(key, 1_000, "EUR", method, true);
  }

  private long charges(Transport transport) throws Exception {
    return transport == Transport.HTTP
        ? psp.json("/stats").getLong("charges")
        : await(simulator.stats()).charges();
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void everyPaymentMethodHasItsResult(Transport transport) throws Exception {
    PspGateway gateway = gateway(transport);
    for (String method : List.of("pm_card_visa", "pm_slow_50", "pm_psp_flaky")) {
      assertThat(await(charge(gateway, method, method))).isInstanceOf(Approved.class);
    }
    assertThat(await(charge(gateway, "d", "pm_card_declined")))
        .isEqualTo(new Declined("generic_decline"));
    assertThat(await(charge(gateway, "i", "pm_card_insufficient_funds")))
        .isEqualTo(new Declined("insufficient_funds"));
    assertThat(await(charge(gateway, "u", "pm_psp_unavailable"))).isInstanceOf(Unavailable.class);
    assertThat(await(charge(gateway, "x", "pm_nonsense"))).isInstanceOf(Rejected.class);
    assertThat(charges(transport)).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void lostReplyIsResolvedWithOneCharge(Transport transport) throws Exception {
    PspResult found = await(charge(gateway(transport), "k", "pm_psp_lost_reply"));
    assertThat(found).isInstanceOf(Approved.class);
    assertThat(await(charge(gateway(transport), "k", "pm_psp_lost_reply"))).isEqualTo(found);
    assertThat(charges(transport)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void chargeIsCapturedRefundedAndRefused(Transport transport) {
    PspGateway gateway = gateway(transport);
    Approved made = (Approved) await(gateway.charge("k", 1_000, "EUR", "pm_card_visa", false));
    String id = made.charge().id();
    Approved captured = (Approved) await(gateway.capture("c", id, OptionalLong.of(800)));
    assertThat(captured.charge().capturedAmount()).isEqualTo(800);
    assertThat(await(gateway.cancel("x", id))).isInstanceOf(Refused.class);
    Approved refunded = (Approved) await(gateway.refund("r", id, OptionalLong.empty()));
    assertThat(refunded.refund().orElseThrow().amount()).isEqualTo(800);
    assertThat(refunded.charge().status()).isEqualTo("refunded");
    assertThat(await(gateway.refund("r2", id, OptionalLong.of(1)))).isInstanceOf(Refused.class);
    assertThat(await(gateway.cancel("n", "ch_none"))).isInstanceOf(Refused.class);
    assertThat(await(gateway.cancel("k", id)))
        .isInstanceOfSatisfying(Rejected.class, r -> assertThat(r.status()).isEqualTo(422));
  }

  @ParameterizedTest
  @EnumSource(Transport.class)
  void resultsCompleteOnTheCallersContext(Transport transport) {
    PspGateway gateway = gateway(transport);
    for (String method : List.of("pm_card_visa", "pm_slow_20", "pm_psp_lost_reply")) {
      CompletableFuture<Boolean> same = new CompletableFuture<>();
      Context context = vertx.getOrCreateContext();
      context.runOnContext(
          now ->
              charge(gateway, "ctx" + method, method)
                  .onComplete(done -> same.complete(Vertx.currentContext() == context)));
      assertThat(same.orTimeout(60, TimeUnit.SECONDS).join()).isTrue();
    }
  }

  @Test
  void silentPspIsUnavailableAfterOneSend() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    BlockingQueue<String> withoutResponse = new LinkedBlockingQueue<>();
    HttpServer silent =
        await(
            vertx
                .createHttpServer()
                .connectionHandler(connection -> connections.incrementAndGet())
                .requestHandler(request -> respondToFirst(request, withoutResponse))
                .listen(0, "127.0.0.1"));
    URI url = URI.create("http://127.0.0.1:" + silent.actualPort());
    PspGateway gateway = PspGateway.overHttp(vertx, url, 300, PspGateway.MAX_CONNECTIONS);
    // Connecting may take longer than the time limit, so the connection is opened first.
    Await.until(
        "the gateway has a connection",
        () -> !(await(gateway.cancel(FIRST, "ch_1")) instanceof Unavailable));
    int made = connections.get();
    try (StallFreeClock clock = new StallFreeClock()) {
      assertThat(await(charge(gateway, "k", "pm_card_visa"))).isInstanceOf(Unavailable.class);
      assertThat(clock.millis()).as("abandoned at the time limit").isLessThanOrEqualTo(1_300);
    }
    assertThat(withoutResponse.poll(60, TimeUnit.SECONDS)).isEqualTo("k");
    assertThat(withoutResponse).isEmpty();
    assertThat(connections).hasValue(made);
    await(silent.close());
  }

  private static void respondToFirst(HttpServerRequest request, Queue<String> withoutResponse) {
    String key = request.getHeader(IdempotencyKeyHeader.NAME);
    if (key.equals(FIRST)) {
      request.response().setStatusCode(409).end("{}");
    } else {
      withoutResponse.add(key);
    }
  }

  @Test
  void slowChargePastTheTimeLimitIsFoundLater() {
    PspGateway hasty = simulator.gateway(vertx, 20);
    assertThat(await(charge(hasty, "k", "pm_slow_300"))).isInstanceOf(Unavailable.class);
    assertThat(await(charge(gateway(Transport.IN_PROCESS), "k", "pm_slow_300")))
        .isInstanceOf(Approved.class);
    assertThat(await(simulator.stats()).charges()).isEqualTo(1);
  }

  @Test
  void refusedConnectionsAreUnavailableWithinSeconds() {
    // Not the port of a stopped server, which another process may have taken.
    URI nobody = URI.create("http://127.0.0.1:" + Ports.free());
    PspGateway gateway = PspGateway.overHttp(vertx, nobody, 3_600_000, PspGateway.MAX_CONNECTIONS);
    assertThat(await(charge(gateway, "k", "pm_card_visa"))).isInstanceOf(Unavailable.class);
  }

  @Test
  void responseThatIsNotAChargeIsLost() {
    NetServer odd =
        await(
            vertx
                .createNetServer()
                .connectHandler(
                    socket ->
                        socket.handler(
                            part ->
                                socket.write(
                                    "HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}")))
                .listen(0, "127.0.0.1"));
    URI url = URI.create("http://127.0.0.1:" + odd.actualPort());
    PspGateway gateway = PspGateway.overHttp(vertx, url, 500, PspGateway.MAX_CONNECTIONS);
    assertThat(await(charge(gateway, "k", "pm_card_visa"))).isInstanceOf(Unavailable.class);
    await(odd.close());
  }

  @Test
  void pspKilledUnderTrafficChargesEachKeyOnce(@TempDir Path directory) throws Exception {
    SimulatorProcess first = SimulatorProcess.start(Ports.free(), directory);
    URI url = URI.create("http://127.0.0.1:" + first.port);
    PspGateway gateway =
        PspGateway.overHttp(vertx, url, TIMEOUT_MILLIS, PspGateway.MAX_CONNECTIONS);
    List<Future<PspResult>> results = new ArrayList<>();
    try (first) {
      // The slow charges are running when it is killed, so their responses are lost.
      for (int i = 0; i < 20; i++) {
        results.add(charge(gateway, "slow" + i, "pm_slow_5000"));
      }
      for (int i = 0; i < 200; i++) {
        results.add(charge(gateway, "visa" + i, "pm_card_visa"));
      }
      await(Future.any(results.subList(20, results.size())));
    }
    List<Future<PspResult>> before = results.stream().filter(Future::succeeded).toList();
    assertThat(before).isNotEmpty().hasSizeLessThan(results.size());
    try (SimulatorProcess second = SimulatorProcess.start(first.port, directory)) {
      assertThat(second.port).isEqualTo(first.port);
      for (int i = 0; i < 20; i++) {
        assertApproved(results.get(i), gateway, "slow" + i, "pm_slow_5000");
      }
      // A retry of each key returns the reported charge.
      for (int i = 0; i < 200; i++) {
        PspResult reported =
            assertApproved(results.get(20 + i), gateway, "visa" + i, "pm_card_visa");
        assertThat(await(charge(gateway, "visa" + i, "pm_card_visa"))).isEqualTo(reported);
      }
      JsonObject stats = SimulatorFixture.json(URI.create(url + "/stats"));
      assertThat(stats.getLong("charges")).isEqualTo(220);
      assertThat(stats.getLong("max_charges_per_key")).isEqualTo(1);
    }
  }

  /** Retries a call that was given up before the PSP had restarted. */
  private static PspResult assertApproved(
      Future<PspResult> pending, PspGateway gateway, String key, String method) throws Exception {
    PspResult result = await(pending);
    if (result instanceof Unavailable) {
      result = await(charge(gateway, key, method));
    }
    assertThat(result).isInstanceOf(Approved.class);
    return result;
  }
}
