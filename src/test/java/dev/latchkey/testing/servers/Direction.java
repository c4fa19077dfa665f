package dev.latchkey.testing.servers;

/** Which way bytes go through a {@link CuttingProxy}. */
public enum Direction {
  TO_SERVER,
  TO_CLIENT
}
