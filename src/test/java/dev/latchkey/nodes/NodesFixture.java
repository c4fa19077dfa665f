package dev.latchkey.nodes;

import dev.latchkey.service.LatchkeyProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The servers that the nodes of a test share, and a look beside the nodes at what they did there.
 * Closing it ends the servers that it started; nodes are closed before.
 */
interface NodesFixture extends AutoCloseable {

  /** The variables by which a node finds the servers. */
  Map<String, String> environment();

  /** How many events were written with the payment of a key; empty where payments write none. */
  OptionalLong events(String key);

  /** Counts from now on. */
  void forget();

  /**
   * How many statements or scripts nodes had the servers run since; what they do without being
   * called, to probe connections and to purge expired keys, is left out.
   */
  long commands();

  /** How many of these one call of the store takes. */
  int commandsPer(String operation);

  /** How many notices nodes have sent each other since. */
  long notices();

  /** How often since a node found that it may have missed a notice, and listened anew. */
  long listenedAnew();

  @Override
  void close();

  /** Starts a node; see {@link #serve(Map, URI, String...)}. */
  default LatchkeyProcess serve(URI psp, String... more) {
    return serve(environment(), psp, more);
  }

  /**
   * Starts a node.
   *
   * @param environment its variables
   * @param psp its PSP
   * @param more further options of {@code serve}
   * @return the node, perhaps not ready yet
   */
  static LatchkeyProcess serve(Map<String, String> environment, URI psp, String... more) {
    List<String> args = new ArrayList<>(List.of("serve", "--port", "0"));
    args.addAll(List.of("--psp-url", psp.toString()));
    args.addAll(List.of(more));
    return LatchkeyProcess.start(environment, args.toArray(String[]::new));
  }
}
