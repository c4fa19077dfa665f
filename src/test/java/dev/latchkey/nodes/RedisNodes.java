package dev.latchkey.nodes;

import dev.latchkey.server.LatchkeyProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes of the service on Redis. */
final class RedisNodes {

  private RedisNodes() {}

  /**
   * Starts one.
   *
   * @param redisUri its store and ledger
   * @param psp its PSP
   * @param more further options of {@code serve}
   * @return the node, perhaps not ready yet
   */
  static LatchkeyProcess serve(String redisUri, URI psp, String... more) {
    List<String> args = new ArrayList<>(List.of("serve", "--port", "0", "--store", "redis"));
    args.addAll(List.of("--psp-url", psp.toString()));
    args.addAll(List.of(more));
    return LatchkeyProcess.start(
        Map.of("LATCHKEY_REDIS_URI", redisUri), args.toArray(String[]::new));
  }

  /** Returns the payments that a node finds for a key. */
  static List<JsonObject> payments(URI node, String key) {
    HttpResponse<String> found = Payer.get(node, "/v1/payments?idempotency_key=" + key);
    return objects(new JsonObject(found.body()).getJsonArray("data"));
  }

  /** Returns what a node knows of the one route on which a key was used. */
  static JsonObject record(URI node, String key) {
    HttpResponse<String> found = Payer.get(node, "/v1/idempotency-keys/" + key);
    return objects(new JsonObject(found.body()).getJsonArray("data")).get(0);
  }

  private static List<JsonObject> objects(JsonArray array) {
    return array.stream().map(JsonObject.class::cast).toList();
  }
}
