package dev.latchkey.http;

/** Nodes and stores for a group of contract cases. */
interface HttpContract {

  /** Starts a node for this test. */
  Node serve(String... args);

  /** All nodes of this test, and the PSP. */
  Scene scene();

  /** Returns another scene over the same store. The caller closes it. */
  Scene newScene(Sabotage sabotage);
}
