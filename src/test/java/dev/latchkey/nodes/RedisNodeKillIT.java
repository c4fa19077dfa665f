package dev.latchkey.nodes;

import org.junit.jupiter.api.Test;

/** Over one Redis. */
class RedisNodeKillIT extends NodeKillIT {

  @Override
  NodesFixture open() {
    return new RedisNodesFixture();
  }

  @Test
  @Override
  void pausedOwnerNeitherRenewsNorReleasesTheNewClaim() {
    super.pausedOwnerNeitherRenewsNorReleasesTheNewClaim();
  }
}
