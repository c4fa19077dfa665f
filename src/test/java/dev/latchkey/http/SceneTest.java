package dev.latchkey.http;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a store and a scene for each test. */
abstract class SceneTest {

  private ServiceFixture fixture;
  private Scene scene;

  /** Opens the store for one test. Records of earlier tests do not matter. */
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

  public final Node serve(String... args) {
    return scene.node(args);
  }

  public final Scene scene() {
    return scene;
  }

  public final Scene newScene(Sabotage sabotage) {
    return new Scene(fixture, sabotage);
  }
}
