package dev.latchkey.psp.simulator;

import dev.latchkey.psp.PspResult.PspCharge;
import io.vertx.core.Future;

/** Reads charges of a simulator for tests in other packages. */
public final class PspInspection {

  private PspInspection() {}

  /** Returns a charge; fails if the id is unknown. */
  public static Future<PspCharge> charge(PspSimulator simulator, String id) {
    return simulator.charge(id).map(found -> found.orElseThrow().toPspCharge());
  }
}
