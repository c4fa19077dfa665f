package dev.latchkey.http;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Proves that the service keeps its contract over a store. Extend it, say where the records live,
 * and run.
 */
public abstract class HttpContractTest
    implements SituationContract,
        KeyContract,
        WaitContract,
        ReplayContract,
        TenantContract,
        OrderContract,
        ConnectionContract,
        CrowdContract,
        MoneyRaceContract,
        MetricsContract,
        BadInputContract,
        FuzzContract,
        MistakesContract {

  private ServiceFixture fixture;
  private Scene scene;

  /** Opens the store for one test. What earlier tests left behind does not matter. */
  protected abstract ServiceFixture open();

  @BeforeEach
  void openScene() {
    fixture = open();
    scene = new Scene(fixture, Sabotage.NONE);
  }

  @AfterEach
  void closeScene() {
    if (scene != null) {
      scene.close();
    }
    if (fixture != null) {
      fixture.close();
    }
  }

  @Override
  public final Node serve(String... args) {
    return scene.node(args);
  }

  @Override
  public final Scene scene() {
    return scene;
  }

  @Override
  public final Scene newScene(Sabotage sabotage) {
    return new Scene(fixture, sabotage);
  }
}
