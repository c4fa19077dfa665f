package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How a statement was run, triggers left out.
 *
 * @param nodes all of its plan
 * @param heapBuffers how many buffers of tables were touched, those of their indexes left out
 */
public record ExplainedPlan(List<Node> nodes, long heapBuffers) {

  /**
   * One node of a plan.
   *
   * @param type such as {@code Index Scan}
   * @param relation the table, or empty
   * @param index the index, or empty
   * @param runs how often it ran
   * @param rows how many rows it gave, over all runs
   * @param buffers the shared buffers that it touched, those below it left out
   */
  public record Node(
      String type, String relation, String index, long runs, long rows, long buffers) {

    boolean descends() {
      return !index.isEmpty();
    }
  }

  static ExplainedPlan of(JsonObject plan, long heapBuffers) {
    List<Node> nodes = new ArrayList<>();
    collect(plan, nodes);
    return new ExplainedPlan(List.copyOf(nodes), heapBuffers);
  }

  /** Fails unless it went down these indexes, and passed over no table. */
  void assertGoesDown(Set<String> expected, String when) {
    assertThat(scannedTables()).as("%s, %s", when, this).isEmpty();
    assertThat(indexes()).as("%s, %s", when, this).isEqualTo(expected);
  }

  /** The names of the indexes that were gone down. */
  public Set<String> indexes() {
    Set<String> names = new TreeSet<>();
    nodes.stream().filter(Node::descends).forEach(node -> names.add(node.index()));
    return names;
  }

  /** The tables that were passed over from end to end. */
  public Set<String> scannedTables() {
    Set<String> names = new TreeSet<>();
    nodes.stream()
        .filter(node -> node.type().equals("Seq Scan"))
        .forEach(node -> names.add(node.relation()));
    return names;
  }

  /** How many times an index was gone down to read. */
  public long descents() {
    return nodes.stream().filter(Node::descends).mapToLong(Node::runs).sum();
  }

  /** The shared buffers that were touched, in memory or not, each as often as it was. */
  public long buffers() {
    return nodes.stream().mapToLong(Node::buffers).sum();
  }

  /** How many rows were inserted, changed or deleted and given back. */
  public long writtenRows() {
    return nodes.stream()
        .filter(node -> node.type().equals("ModifyTable"))
        .mapToLong(Node::rows)
        .sum();
  }

  private static void collect(JsonObject plan, List<Node> nodes) {
    long below = 0;
    for (Object child : plan.getJsonArray("Plans", new JsonArray())) {
      JsonObject node = (JsonObject) child;
      collect(node, nodes);
      // What a common table expression touches is told by those who read it, if anybody does.
      below += node.getString("Subplan Name", "").startsWith("CTE ") ? 0 : touched(node);
    }
    boolean readsCte = plan.getString("Node Type").equals("CTE Scan");
    long runs = plan.getLong("Actual Loops");
    nodes.add(
        new Node(
            plan.getString("Node Type"),
            plan.getString("Relation Name", ""),
            plan.getString("Index Name", ""),
            runs,
            Math.round(plan.getDouble("Actual Rows") * runs),
            readsCte ? 0 : Math.max(0, touched(plan) - below)));
  }

  private static long touched(JsonObject plan) {
    return plan.getLong("Shared Hit Blocks") + plan.getLong("Shared Read Blocks");
  }
}
