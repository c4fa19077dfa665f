package dev.latchkey.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathValidatorException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class ConnectionFailureTest {

  @Test
  void saysInItsOwnWordsWhatFailed() {
    assertThat(ConnectionFailure.reason(new ConnectException("Connection refused: /127.0.0.1:1")))
        .isEqualTo("Connection refused: /127.0.0.1:1");
    assertThat(ConnectionFailure.reason(new ClosedChannelException()))
        .isEqualTo("the connection was closed");
    assertThat(ConnectionFailure.reason(new IOException("first\nsecond", new IOException("third"))))
        .isEqualTo("first");
    assertThat(ConnectionFailure.reason(new IOException())).isEqualTo("java.io.IOException");
  }

  @Test
  void saysWhyTlsFailed() {
    SSLHandshakeException handshake = new SSLHandshakeException("PKIX path validation failed");
    handshake.initCause(new CertPathValidatorException("Path does not chain with any anchor"));

    assertThat(ConnectionFailure.reason(new IOException("SSL handshake failed", handshake)))
        .isEqualTo("SSL handshake failed: Path does not chain with any anchor");
    assertThat(ConnectionFailure.reason(new SSLHandshakeException("no cipher suites in common")))
        .isEqualTo("no cipher suites in common");
  }

  @Test
  void doesNotFollowCausesForEver() {
    Exception one = new SSLHandshakeException("one");
    one.initCause(new IOException("other", one));

    assertThat(ConnectionFailure.reason(one)).startsWith("one");
  }
}
