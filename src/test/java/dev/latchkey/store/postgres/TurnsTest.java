package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TurnsTest {

  private static final int LARGE = Turns.WORTH_WAITING_FOR;
  private static final int FEW = Turns.WORTH_ITS_OWN - 1;

  private Vertx vertx;
  private ContextInternal context;
  private Turns.Side claims;
  private Turns.Side completions;
  private int pumped;

  @BeforeEach
  void open() {
    vertx = TestVertx.create();
    context = ((VertxInternal) vertx).createEventLoopContext();
    Turns turns = new Turns(context);
    claims = turns.first();
    completions = turns.second();
    claims.onTurn(() -> pumped++);
  }

  @AfterEach
  void close() {
    await(vertx.close());
  }

  private void onLoop(Runnable test) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(
        ignored -> {
          try {
            test.run();
            done.complete();
          } catch (Throwable failure) {
            done.fail(failure);
          }
        });
    await(done.future());
  }

  @Test
  void fewWaitForLargeOneOfTheOtherKindAndGoWhenItHasEnded() {
    onLoop(
        () -> {
          completions.began(LARGE);
          assertThat(claims.holds(FEW)).isTrue();

          completions.ended();
          completions.passOn();

          assertThat(pumped).isEqualTo(1);
          assertThat(claims.holds(FEW)).isFalse();
        });
  }

  @Test
  void manyOrWhatIsBesideSmallOneOrBesideNothingGoesAtOnce() {
    onLoop(
        () -> {
          assertThat(claims.holds(1)).isFalse();
          completions.began(LARGE - 1);
          assertThat(claims.holds(1)).isFalse();
          completions.began(LARGE);
          assertThat(claims.holds(Turns.WORTH_ITS_OWN)).isFalse();
          assertThat(completions.holds(1)).isFalse();
          completions.passOn();
          assertThat(pumped).isZero();
        });
  }

  @Test
  void patienceEndsBesideStatementThatDoesNotAndIsFreshForTheNext() {
    Promise<Boolean> again = Promise.promise();
    onLoop(
        () -> {
          claims.onTurn(() -> again.complete(claims.holds(FEW)));
          completions.began(LARGE);
          assertThat(claims.holds(1)).isTrue();
          assertThat(claims.holds(FEW)).isTrue();
        });

    assertThat(await(again.future())).isFalse();
    onLoop(
        () -> {
          claims.onTurn(() -> pumped++);
          claims.began(FEW);
          claims.ended();
          assertThat(claims.holds(FEW)).isTrue();
          claims.began(FEW);
        });
    assertThat(pumped).isZero();
  }

  @Test
  void sideOfNobodyNeverWaits() {
    onLoop(
        () -> {
          Turns.Side alone = Turns.none(context);
          alone.began(LARGE);
          assertThat(alone.holds(1)).isFalse();
        });
  }
}
