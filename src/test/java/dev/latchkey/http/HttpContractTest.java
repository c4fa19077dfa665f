package dev.latchkey.http;

/**
 * Proves that the service meets its contract over a store. Extend it and open the store. Cases that
 * do not depend on the store run once, over memory: see {@link MemoryServiceTest}.
 */
public abstract class HttpContractTest extends SceneTest
    implements SituationContract,
        KeyContract,
        WaitContract,
        ReplayContract,
        TenantContract,
        CrowdContract,
        MoneyRaceContract,
        MetricsContract,
        MistakesContract {}
