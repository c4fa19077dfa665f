package dev.latchkey.psp;

import dev.latchkey.psp.PspResult.PspCharge;
import io.vertx.core.Future;

/** What a test may see of a simulator beyond its counts. */
public final class PspInspection {

  private PspInspection() {}

  /** Reads a charge as the PSP has it; fails when there is none of that id. */
  public static Future<PspCharge> charge(PspSimulator simulator, String id) {
    return simulator.charge(id).map(found -> found.orElseThrow().toPspCharge());
  }
}
