package dev.latchkey.load;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What all nodes together list under a key. A node that does not answer is not waited for with each
 * key, and is told: what it alone holds is not seen. Used from one event loop.
 */
final class Listing {

  /** What was listed under one key. */
  static final class Listed {
    private final Set<String> ids = new LinkedHashSet<>();
    private final Set<Object> items = new LinkedHashSet<>();
    private int answered;
    private boolean whole = true;

    private void add(JsonArray page, int offset) {
      for (int i = 0; i < page.size(); i++) {
        Object item = page.getValue(i);
        ids.add(id(item).orElse("number " + (offset + i)));
        items.add(item);
      }
    }

    /** How many payments, each counted once however many nodes list it. */
    int size() {
      return ids.size();
    }

    /** The payments; one that two nodes list with other content is there in both forms. */
    Collection<Object> items() {
      return items;
    }

    /** Whether any node answered. */
    boolean found() {
      return answered > 0;
    }

    /** Whether each node that answered told all that it has. */
    boolean whole() {
      return answered > 0 && whole;
    }
  }

  /**
   * A node that was not asked for all keys.
   *
   * @param url as it was given
   * @param keys how many it was not asked for, or did not answer
   * @param why one line
   */
  record Missed(String url, int keys, String why) {}

  private static final int PAGE = 100;
  private static final int MOST_PAGES = 10;

  private final List<Reader> nodes;
  private final Patience patience;
  private final Map<String, Missed> missed = new LinkedHashMap<>();

  /**
   * Over these nodes.
   *
   * @param nodes at least one
   * @param patience how long one of several may be silent
   */
  Listing(List<Reader> nodes, Patience patience) {
    this.nodes = nodes;
    this.patience = patience;
  }

  /**
   * Finds out who answers. Where anyone does, the others are asked no more, and one that falls
   * silent later is waited for a little; where nobody does, all are given the time to come back.
   */
  Future<Void> begin() {
    if (nodes.size() == 1) {
      return Future.succeededFuture();
    }
    Map<Reader, Future<Boolean>> answers = new HashMap<>();
    nodes.forEach(node -> answers.put(node, node.answers("/v1/payments?limit=1")));
    return Future.join(new ArrayList<>(answers.values()))
        .map(
            all -> {
              if (answers.values().stream().anyMatch(Future::result)) {
                answers.forEach(
                    (node, answer) ->
                        node.limitSilence(answer.result() ? patience.lookMillis() : 0));
              }
              return null;
            });
  }

  /**
   * Asks every node.
   *
   * @param key safe in a URL as it stands
   */
  Future<Listed> of(String key) {
    Listed listed = new Listed();
    List<Future<Void>> pages = new ArrayList<>();
    nodes.forEach(node -> pages.add(page(node, key, Optional.empty(), 0, listed)));
    return Future.join(pages).map(all -> listed);
  }

  private Future<Void> page(
      Reader node, String key, Optional<String> after, int number, Listed listed) {
    String path = "/v1/payments?limit=" + PAGE + "&idempotency_key=" + key;
    return node.read(path + after.map(id -> "&starting_after=" + encoded(id)).orElse(""))
        .compose(
            reading -> {
              if (reading instanceof Reading.Silent silent) {
                missed(node, silent.why());
                listed.whole &= number == 0;
                return Future.succeededFuture();
              }
              listed.answered += number == 0 ? 1 : 0;
              Optional<JsonObject> object = reading.found();
              if (object.isEmpty() || !(object.get().getValue("data") instanceof JsonArray data)) {
                listed.whole = false;
                return Future.succeededFuture();
              }
              listed.add(data, PAGE * number);
              if (!Boolean.TRUE.equals(object.get().getValue("has_more"))) {
                return Future.succeededFuture();
              }
              Optional<String> last =
                  data.isEmpty() ? Optional.empty() : id(data.getValue(data.size() - 1));
              if (last.isEmpty() || last.equals(after) || number + 1 == MOST_PAGES) {
                listed.whole = false;
                return Future.succeededFuture();
              }
              return page(node, key, last, number + 1, listed);
            });
  }

  private void missed(Reader node, String why) {
    String url = node.endpoint().url();
    missed.merge(
        url, new Missed(url, 1, why), (seen, one) -> new Missed(url, seen.keys() + 1, why));
  }

  /** The nodes that were silent, at the end of the audit. */
  List<Missed> missed() {
    return List.copyOf(missed.values());
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
