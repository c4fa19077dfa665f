package dev.latchkey.nodes;

/** On one database. */
class PostgresTwoNodesIT extends TwoNodesIT {

  @Override
  NodesFixture open() {
    return new PostgresNodesFixture();
  }
}
