package dev.latchkey.service.ops;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a node can serve: its stores respond and it does not drain. Queries the stores at most
 * twice a second, however often it is asked. Safe for any thread.
 */
public final class Readiness {

  static final long INTERVAL_MILLIS = 500;

  private static final long LIMIT_MILLIS = 1_000;

  private final List<Check> checks;
  private final DrainState drain;
  private final LongSupplier clockNanos;
  private @Nullable Future<JsonObject> latest;
  private long latestNanos;

  /**
   * One dependency.
   *
   * @param name shown to operators
   * @param probe succeeds if the dependency responds; may be unbounded in time
   */
  public record Check(String name, Supplier<Future<Void>> probe) {}

  /**
   * Creates the readiness of a node.
   *
   * @param checks its dependencies
   * @param drain its drain
   */
  public Readiness(List<Check> checks, DrainState drain) {
    this(checks, drain, System::nanoTime);
  }

  Readiness(List<Check> checks, DrainState drain, LongSupplier clockNanos) {
    this.checks = List.copyOf(checks);
    this.drain = drain;
    this.clockNanos = clockNanos;
  }

  /** Returns {@code {status, checks}}; completes within a second or so, on any thread. */
  Future<JsonObject> report() {
    if (drain.isAnnounced()) {
      return Future.succeededFuture(
          report(
              "draining", List.of(new JsonObject().put("name", "node").put("status", "draining"))));
    }
    return current();
  }

  private synchronized Future<JsonObject> current() {
    Future<JsonObject> known = latest;
    long nowNanos = clockNanos.getAsLong();
    boolean fresh = nowNanos - latestNanos < TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);
    if (known != null && (fresh || !known.isComplete())) {
      return known;
    }
    latestNanos = nowNanos;
    List<Future<JsonObject>> results = checks.stream().map(Readiness::result).toList();
    Future<JsonObject> report =
        Future.all(results)
            .map(
                all -> {
                  List<JsonObject> each = all.list();
                  boolean up = each.stream().allMatch(it -> it.getString("status").equals("up"));
                  return report(up ? "up" : "down", each);
                });
    latest = report;
    return report;
  }

  private static Future<JsonObject> result(Check check) {
    JsonObject result = new JsonObject().put("name", check.name());
    return check
        .probe()
        .get()
        .timeout(LIMIT_MILLIS, TimeUnit.MILLISECONDS)
        .map(result.put("status", "up"))
        .recover(
            cause ->
                Future.succeededFuture(
                    result
                        .put("status", "down")
                        .put("detail", "no success within " + LIMIT_MILLIS + " ms")));
  }

  private static JsonObject report(String status, List<JsonObject> checks) {
    return new JsonObject()
        .put("status", status)
        .put("checks", new JsonArray(new ArrayList<>(checks)));
  }
}
