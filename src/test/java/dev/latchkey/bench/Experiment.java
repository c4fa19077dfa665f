package dev.latchkey.bench;

import java.io.IOException;

/** One measurement, which can be run alone. */
interface Experiment {

  /** Its name on the command line and in file names. */
  String id();

  /**
   * Measures.
   *
   * @throws IOException if a program or server is missing, or a response is unexpected
   */
  Result run(BenchEnvironment environment) throws IOException, InterruptedException;
}
