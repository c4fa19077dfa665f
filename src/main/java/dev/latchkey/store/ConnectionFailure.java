package dev.latchkey.store;

import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;

/** Says what went wrong with a connection to a server, for logs and errors. Safe for any thread. */
public final class ConnectionFailure {

  private static final int MOST_CAUSES = 16;

  private ConnectionFailure() {}

  /**
   * Says it in one line: in the failure's own words, without a class name where it has any. Where
   * TLS failed, what caused it follows, such as a certificate that is not trusted.
   *
   * @param failure of connecting, or of what was sent
   * @return never empty
   */
  public static String reason(Throwable failure) {
    String told = words(failure);
    boolean ofTls = failure instanceof SSLException;
    Throwable first = failure;
    for (int i = 0; i < MOST_CAUSES && first.getCause() != null; i++) {
      first = first.getCause();
      ofTls |= first instanceof SSLException;
    }
    String cause = words(first);
    return ofTls && !told.contains(cause) ? told + ": " + cause : told;
  }

  private static String words(Throwable failure) {
    if (failure instanceof ClosedChannelException) {
      return "the connection was closed";
    }
    String message = failure.getMessage();
    String text = message == null || message.isBlank() ? failure.toString() : message;
    return text.lines().findFirst().orElse("no reason given");
  }
}
