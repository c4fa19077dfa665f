package dev.latchkey.nodes;

import dev.latchkey.service.LatchkeyProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The servers that the nodes of a test share, with counters of what the nodes did there. Close the
 * nodes first; closing the fixture stops the servers that it started.
 */
interface NodesFixture extends AutoCloseable {

  /** Returns the environment of a node. */
  Map<String, String> environment();

  /** Returns the events of a key's payment; empty if payments write none. */
  OptionalLong events(String key);

  /** Resets the counters. */
  void reset();

  /** Returns the statements or scripts of the nodes, without probes and purges. */
  long commands();

  /** Returns the most commands of one store call. */
  int commandsPer(String operation);

  /** Returns the notifications between nodes. */
  long notifications();

  /** Returns how often a node subscribed again because it may have missed a notification. */
  long resubscriptions();

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
   * @return the node, which may not be ready yet
   */
  static LatchkeyProcess serve(Map<String, String> environment, URI psp, String... more) {
    List<String> args = new ArrayList<>(List.of("serve", "--port", "0"));
    args.addAll(List.of("--psp-url", psp.toString()));
    args.addAll(List.of(more));
    return LatchkeyProcess.start(environment, args.toArray(String[]::new));
  }
}
