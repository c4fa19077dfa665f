package dev.latchkey.store.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import io.vertx.pgclient.PgException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailuresTest {

  private static void isTold(Throwable cause, Outcome outcome, String message) {
    StoreException told = Failures.of("claim", cause);
    assertThat(told).hasMessage(message);
    assertThat(told.outcome()).isEqualTo(outcome);
    assertThat(Failures.of("claim", told)).isSameAs(told);
  }

  @Test
  void everyMessageSaysOnceWhetherToRetry() {
    isTold(Failures.notDone("full"), Outcome.NOT_DONE, "claim: full; a retry is safe");
    isTold(Failures.permanent("closed"), Outcome.NOT_DONE, "claim: closed; a retry cannot help");
    isTold(Failures.unknown("mute"), Outcome.UNKNOWN, "claim: mute; the same call may be repeated");
    isTold(
        new IOException("cut"),
        Outcome.UNKNOWN,
        "claim: the connection to Postgres broke: java.io.IOException: cut;"
            + " the same call may be repeated");
    isTold(
        new PgException("not here", "ERROR", "42P01", null),
        Outcome.NOT_DONE,
        "claim: Postgres says 42P01: not here; a retry is safe");
  }

  @Test
  void poolerThatRefusesSettingsIsNamed() {
    PgException refused =
        new PgException("unsupported startup parameter: jit", "FATAL", "08P01", null);
    assertThat(Failures.reason(refused))
        .isEqualTo(
            "a pooler such as PgBouncer refuses the session settings:"
                + " 08P01: unsupported startup parameter: jit");
  }
}
