package dev.latchkey.http;

import dev.latchkey.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process that sends one payment on many connections at a time, waits for all answers and prints
 * what they were. Its connections cost the server's heap, its own objects do not.
 *
 * <p>Arguments: port, path, key, how many, the local address to come from.
 */
public final class CrowdClient {

  private CrowdClient() {}

  /** Runs it. */
  public static void main(String[] args) {
    int port = Integer.parseInt(args[0]);
    String request =
        "POST "
            + args[1]
            + " HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nIdempotency-Key: "
            + args[2]
            + "\r\nContent-Length: "
            + Call.VISA.length()
            + "\r\n\r\n"
            + Call.VISA;
    List<RawClient> connections = new ArrayList<>();
    for (int i = Integer.parseInt(args[3]); i > 0; i--) {
      connections.add(new RawClient(port, args[4]).send(request));
    }
    Map<String, Integer> answers = new TreeMap<>();
    for (RawClient connection : connections) {
      Answer answer = Answer.from(connection);
      String what =
          answer.status()
              + " replayed="
              + answer.isReplayed()
              + " body="
              + answer.body().hashCode();
      answers.merge(what, 1, Integer::sum);
    }
    answers.forEach((what, times) -> System.out.println(times + " " + what));
    connections.forEach(RawClient::close);
  }
}
