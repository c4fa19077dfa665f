package dev.latchkey.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Reads the metrics of a service. */
final class Prometheus {

  private Prometheus() {}

  /** The sum of all lines of {@code /metrics} with one of these beginnings. */
  static double sum(URI service, String... beginnings) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(service.resolve("/metrics")).build();
    String text =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    double sum = 0;
    for (String line : text.split("\n")) {
      for (String beginning : beginnings) {
        if (line.startsWith(beginning)) {
          sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        }
      }
    }
    return sum;
  }

  /** Store calls for requests, without housekeeping. */
  static double storeCalls(URI service) throws IOException, InterruptedException {
    String name = "latchkey_store_calls_total{operation=\"";
    return sum(service, name + "claim", name + "complete", name + "lookup", name + "watch");
  }
}
