package dev.latchkey.bench;

/** Told of every answer, on the generator's thread. */
interface Answers {

  /**
   * An answer is whole.
   *
   * @param from the connection, free for the next request
   * @param status its status
   */
  void answered(Client from, int status);
}
