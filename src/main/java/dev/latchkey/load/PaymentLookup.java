package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks up the payments of a key on all nodes. A silent node does not delay every key; it is
 * reported, because payments that it alone lists are not seen. Confined to one event loop.
 */
final class PaymentLookup {

  private static final int PAGE_SIZE = 100;
  private static final int MAX_PAGES = 10;

  private final List<NodeReader> nodes;
  private final RetryPolicy policy;
  private final Map<String, SilentNode> silentNodes = new LinkedHashMap<>();

  /** The payments of one key. */
  static final class Payments {
    private final Set<String> ids = new LinkedHashSet<>();
    private final Set<Object> items = new LinkedHashSet<>();
    private boolean found;
    private boolean complete = true;

    private void add(JsonArray page, int offset) {
      for (int i = 0; i < page.size(); i++) {
        Object item = page.getValue(i);
        ids.add(id(item).orElse("number " + (offset + i)));
        items.add(item);
      }
    }

    /** Returns the number of payments, each counted once. */
    int size() {
      return ids.size();
    }

    /** Returns the payments; two nodes that disagree on a payment contribute both forms. */
    Collection<Object> items() {
      return items;
    }

    /** Returns whether any node responded. */
    boolean found() {
      return found;
    }

    /** Returns whether every node that responded listed all its payments. */
    boolean complete() {
      return found && complete;
    }
  }

  /** A node that was not read for every key, with the number of those keys. */
  record SilentNode(String url, int keys, String reason) {}

  PaymentLookup(List<NodeReader> nodes, RetryPolicy policy) {
    this.nodes = nodes;
    this.policy = policy;
  }

  /**
   * Probes several nodes. If any responds, the silent ones are not read, and a node that falls
   * silent later gets a short limit. If none responds, all get the time to recover.
   */
  Future<Void> start() {
    if (nodes.size() == 1) {
      return Future.succeededFuture();
    }
    Map<NodeReader, Future<Boolean>> probes = new HashMap<>();
    nodes.forEach(node -> probes.put(node, node.responds("/v1/payments?limit=1")));
    return Future.join(List.copyOf(probes.values()))
        .onSuccess(
            all -> {
              if (probes.values().stream().anyMatch(Future::result)) {
                probes.forEach(
                    (node, responds) ->
                        node.limitSilence(responds.result() ? policy.readMillis() : 0));
              }
            })
        .mapEmpty();
  }

  /** Reads all nodes. The key needs no encoding in a URL. */
  Future<Payments> of(String key) {
    Payments payments = new Payments();
    String path = "/v1/payments?limit=" + PAGE_SIZE + "&idempotency_key=" + key;
    return Future.join(
            nodes.stream().map(node -> page(node, path, Optional.empty(), 0, payments)).toList())
        .map(all -> payments);
  }

  private Future<Void> page(
      NodeReader node, String path, Optional<String> after, int number, Payments payments) {
    return node.read(path + after.map(id -> "&starting_after=" + encoded(id)).orElse(""))
        .compose(
            result -> {
              if (result instanceof NodeReader.Result.Silent silent) {
                addSilent(node.url(), silent.reason());
                payments.complete &= number == 0;
                return Future.succeededFuture();
              }
              payments.found = true;
              Optional<JsonObject> list = result.found();
              if (list.isEmpty() || !(list.get().getValue("data") instanceof JsonArray data)) {
                payments.complete = false;
                return Future.succeededFuture();
              }
              payments.add(data, PAGE_SIZE * number);
              if (!Boolean.TRUE.equals(list.get().getValue("has_more"))) {
                return Future.succeededFuture();
              }
              Optional<String> last =
                  data.isEmpty() ? Optional.empty() : id(data.getValue(data.size() - 1));
              if (last.isEmpty() || last.equals(after) || number + 1 == MAX_PAGES) {
                payments.complete = false;
                return Future.succeededFuture();
              }
              return page(node, path, last, number + 1, payments);
            });
  }

  private void addSilent(String url, String reason) {
    silentNodes.merge(
        url,
        new SilentNode(url, 1, reason),
        (node, one) -> new SilentNode(url, node.keys() + 1, reason));
  }

  List<SilentNode> silentNodes() {
    return List.copyOf(silentNodes.values());
  }

  private static Optional<String> id(Object item) {
    return item instanceof JsonObject payment && payment.getValue("id") instanceof String id
        ? Optional.of(id)
        : Optional.empty();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
