package dev.latchkey.net;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.latchkey.testing.LogRecorder;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConnectionResetLogTest {
  private final Vertx vertx = Vertx.vertx();
  private final Logger logger = (Logger) LoggerFactory.getLogger(BoundedHttpClient.class);
  private final LogRecorder warnings = new LogRecorder();
  private final CountDownLatch reset = new CountDownLatch(1);
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          reset.countDown();
        }
      };

  @BeforeEach
  void listen() {
    logger.setLevel(Level.DEBUG);
    appender.start();
    logger.addAppender(appender);
  }

  @AfterEach
  void stop() {
    logger.detachAppender(appender);
    logger.setLevel(null);
    warnings.close();
    await(vertx.close());
  }

  private void assertNoWarning() throws Exception {
    assertThat(reset.await(60, TimeUnit.SECONDS)).as("the reset was detected").isTrue();
    // A blocked event loop is the machine's doing.
    assertThat(warnings.lines()).filteredOn(line -> !line.contains("BlockedThread")).isEmpty();
  }

  /** Closes with a reset, as the system does for a killed process. */
  private static void reset(Socket socket) throws Exception {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Test
  void resetByAServerLogsNoWarning() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      BoundedHttpClient client =
          new BoundedHttpClient(vertx, new HttpClientOptions(), new PoolOptions(), 100);
      RequestOptions request =
          new RequestOptions().setHost("127.0.0.1").setPort(listener.getLocalPort());
      BoundedExchange exchange = client.send(request, Buffer.buffer(), 30_000);
      Socket socket = listener.accept();
      assertThat(socket.getInputStream().read()).isEqualTo('G');
      socket.getOutputStream().write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes());
      assertThat(await(exchange.outcome())).isInstanceOf(BoundedExchange.Outcome.Response.class);

      reset(socket);

      assertNoWarning();
    }
  }

  @Test
  void resetByAClientLogsNoWarning() throws Exception {
    HttpServer server =
        await(
            vertx
                .createHttpServer()
                .connectionHandler(BoundedHttpClient::logQuietly)
                .requestHandler(request -> request.response().end())
                .listen(0, "127.0.0.1"));
    Socket socket = new Socket("127.0.0.1", server.actualPort());
    socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
    assertThat(socket.getInputStream().read()).isEqualTo('H');

    reset(socket);

    assertNoWarning();
  }
}
