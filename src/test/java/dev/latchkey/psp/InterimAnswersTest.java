package dev.latchkey.psp;

import static dev.latchkey.psp.PspFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.psp.PspResult.Approved;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterimAnswersTest {
  private final Vertx vertx = TestVertx.create();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  /** A PSP that says something first and answers each request with a charge of its own. */
  private PspGateway gatewayToPspThatSays(String interim) {
    NetServer psp =
        await(
            vertx
                .createNetServer()
                .connectHandler(
                    socket -> {
                      connections.incrementAndGet();
                      socket.handler(part -> answer(socket, interim));
                    })
                .listen(0, "127.0.0.1"));
    URI url = URI.create("http://127.0.0.1:" + psp.actualPort());
    return PspGateways.overHttp(vertx, url, 30_000);
  }

  private void answer(NetSocket socket, String interim) {
    String charge =
        "{\"id\":\"ch_%d\",\"amount\":1000,\"currency\":\"EUR\",\"status\":\"captured\","
                .formatted(requests.incrementAndGet())
            + "\"captured_amount\":1000,\"refunded_amount\":0}";
    String answer =
        "HTTP/1.1 201 Created\r\ncontent-length: %d\r\n\r\n%s".formatted(charge.length(), charge);
    socket.write(interim + answer);
  }

  private static String charged(PspGateway gateway, String key) {
    PspResult result = await(gateway.charge(key, 1_000, "EUR", "pm_card_visa", true));
    assertThat(result).isInstanceOf(Approved.class);
    return ((Approved) result).charge().id();
  }

  @ParameterizedTest
  @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints", "199 Whatever"})
  void whatIsSaidOnTheWayIsNotTheAnswer(String status) {
    PspGateway gateway = gatewayToPspThatSays("HTTP/1.1 " + status + "\r\nx: y\r\n\r\n");
    assertThat(charged(gateway, "a")).isEqualTo("ch_1");
    assertThat(charged(gateway, "b")).isEqualTo("ch_2");
    assertThat(connections).hasValue(1);
  }

  @Test
  void moreThanOneIsLeftOut() {
    String interim = "HTTP/1.1 102 Processing\r\n\r\n";
    PspGateway gateway = gatewayToPspThatSays(interim.repeat(3));
    assertThat(charged(gateway, "a")).isEqualTo("ch_1");
    assertThat(charged(gateway, "b")).isEqualTo("ch_2");
  }
}
