package dev.latchkey.nodes;

/** Over one database. */
class PostgresNodeKillIT extends NodeKillIT {

  @Override
  NodesFixture open() {
    return new PostgresNodesFixture();
  }
}
