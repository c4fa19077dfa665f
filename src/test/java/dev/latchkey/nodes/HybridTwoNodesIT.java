package dev.latchkey.nodes;

/** With claims in one Redis and payments in one database. */
class HybridTwoNodesIT extends TwoNodesIT {

  @Override
  NodesFixture open() {
    return new HybridNodesFixture();
  }
}
