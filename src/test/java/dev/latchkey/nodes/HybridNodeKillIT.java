package dev.latchkey.nodes;

/** Over claims in one Redis and payments in one database. */
class HybridNodeKillIT extends NodeKillIT {

  @Override
  NodesFixture open() {
    return new HybridNodesFixture();
  }
}
