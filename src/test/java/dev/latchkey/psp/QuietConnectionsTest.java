package dev.latchkey.psp;

import static dev.latchkey.psp.PspFixture.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class QuietConnectionsTest {
  private static final String BROKE = "a connection broke";

  private final Vertx vertx = Vertx.vertx();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Logger quiet = (Logger) LoggerFactory.getLogger(QuietConnections.class);
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<String> broken = new LinkedBlockingQueue<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          events.add(event);
          if (event.getFormattedMessage().startsWith(BROKE)) {
            broken.add(event.getFormattedMessage());
          }
        }
      };

  @BeforeEach
  void listen() {
    quiet.setLevel(Level.DEBUG);
    appender.start();
    root.addAppender(appender);
  }

  @AfterEach
  void stop() {
    root.detachAppender(appender);
    quiet.setLevel(null);
    await(vertx.close());
  }

  private void assertQuiet() throws Exception {
    assertThat(broken.poll(60, TimeUnit.SECONDS)).as("the reset was seen").isNotNull();
    // Whether an event loop stands still is the machine's doing.
    assertThat(events)
        .filteredOn(e -> !e.getLoggerName().endsWith("BlockedThreadChecker"))
        .noneMatch(e -> e.getLevel().isGreaterOrEqual(Level.WARN))
        .noneMatch(e -> e.getThrowableProxy() != null && e.getLoggerName().contains(".net."));
  }

  /** Closes with a reset, as the system does for a process that was killed. */
  private static void reset(Socket socket) throws Exception {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Test
  void aPspThatResetsAKeptConnectionIsNoNews() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      URI url = URI.create("http://127.0.0.1:" + listener.getLocalPort());
      PspGateway gateway = PspGateways.overHttp(vertx, url, 30_000);
      var result = gateway.cancel("k", "ch_1");
      Socket socket = listener.accept();
      assertThat(socket.getInputStream().read()).isEqualTo('P');
      String answer = "HTTP/1.1 409 Conflict\r\ncontent-length: 2\r\n\r\n{}";
      socket.getOutputStream().write(answer.getBytes());
      assertThat(await(result)).isInstanceOf(PspResult.Refused.class);
      reset(socket);
      assertQuiet();
    }
  }

  @Test
  void aCallerThatResetsItsConnectionIsNoNews() throws Exception {
    try (PspFixture psp = PspFixture.start(vertx)) {
      Socket socket = new Socket("127.0.0.1", psp.port);
      socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: psp\r\n\r\n".getBytes());
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      reset(socket);
      assertQuiet();
    }
  }
}
