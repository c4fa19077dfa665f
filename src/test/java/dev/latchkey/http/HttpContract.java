package dev.latchkey.http;

/** What every group of cases stands on. */
interface HttpContract {

  /** Starts a node for this test; the first of a test is the one most cases need. */
  Node serve(String... args);

  /** All nodes of this test, and the PSP. */
  Scene scene();

  /** Another scene over the same store, closed by whoever asks. */
  Scene newScene(Sabotage sabotage);
}
