package dev.latchkey.bench;

import java.io.IOException;

/** One part of the matrix, which can be run by itself. */
interface Experiment {

  /** Its name on the command line and of its file of results. */
  String id();

  /**
   * Measures.
   *
   * @throws IOException when what it needs is not there, or answers what it should not
   */
  Result run(Stage stage) throws IOException, InterruptedException;
}
