package dev.latchkey.store.postgres.batch;

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

class TurnTakingTest {

  private static final int LARGE = TurnTaking.MIN_AWAITED;
  private static final int FEW = TurnTaking.MIN_CONCURRENT - 1;

  private Vertx vertx;
  private ContextInternal context;
  private TurnTaking.Turn claims;
  private TurnTaking.Turn completions;
  private int pumped;

  @BeforeEach
  void open() {
    vertx = TestVertx.create();
    context = ((VertxInternal) vertx).createEventLoopContext();
    TurnTaking turns = new TurnTaking(context);
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
  void smallBatchWaitsForALargeOneOfTheOtherKind() {
    onLoop(
        () -> {
          completions.began(LARGE);
          assertThat(claims.waits(FEW)).isTrue();

          completions.ended();
          completions.passOn();

          assertThat(pumped).isEqualTo(1);
          assertThat(claims.waits(FEW)).isFalse();
        });
  }

  @Test
  void largeBatchOrOneBesideASmallOneDoesNotWait() {
    onLoop(
        () -> {
          assertThat(claims.waits(1)).isFalse();
          completions.began(LARGE - 1);
          assertThat(claims.waits(1)).isFalse();
          completions.began(LARGE);
          assertThat(claims.waits(TurnTaking.MIN_CONCURRENT)).isFalse();
          assertThat(completions.waits(1)).isFalse();
          completions.passOn();
          assertThat(pumped).isZero();
        });
  }

  @Test
  void waitIsLimitedForEachBatch() {
    Promise<Boolean> again = Promise.promise();
    onLoop(
        () -> {
          claims.onTurn(() -> again.complete(claims.waits(FEW)));
          completions.began(LARGE);
          assertThat(claims.waits(1)).isTrue();
          assertThat(claims.waits(FEW)).isTrue();
        });

    assertThat(await(again.future())).isFalse();
    onLoop(
        () -> {
          claims.onTurn(() -> pumped++);
          claims.began(FEW);
          claims.ended();
          assertThat(claims.waits(FEW)).isTrue();
          claims.began(FEW);
        });
    assertThat(pumped).isZero();
  }

  @Test
  void singleTurnNeverWaits() {
    onLoop(
        () -> {
          TurnTaking.Turn alone = TurnTaking.single(context);
          alone.began(LARGE);
          assertThat(alone.waits(1)).isFalse();
        });
  }
}
