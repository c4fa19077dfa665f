package dev.latchkey.store;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import dev.latchkey.core.spi.Token;
import dev.latchkey.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A store whose answers are waited for. Never call it on an event loop. */
public record StoreCalls(IdempotencyStore store) {

  /** An ordinary stored response. */
  public static final StoredResponse CREATED =
      StoredResponse.of(
          201, List.of(new Header("Location", "/v1/things/1")), Buffer.buffer("{\"id\":1}"));

  /** Another response. */
  public static final StoredResponse OTHER =
      StoredResponse.of(202, List.of(), Buffer.buffer("another"));

  /** Waits until an unavailable store is available: returns the result of the first success. */
  public static <T> T eventually(Supplier<Future<T>> call) {
    List<T> result = new ArrayList<>();
    Await.until("the store is available", () -> succeeds(call, result));
    return result.get(0);
  }

  private static <T> boolean succeeds(Supplier<Future<T>> call, List<T> result) {
    try {
      return result.add(await(call.get()));
    } catch (StoreException unavailable) {
      return false;
    }
  }

  public ClaimResult claim(Attempt attempt) {
    return await(store.claim(attempt.request()));
  }

  /** Claims and expects that the claim is granted. */
  public ClaimResult.Claimed claimed(Attempt attempt) {
    ClaimResult result = claim(attempt);
    assertThat(result).isInstanceOf(ClaimResult.Claimed.class);
    return (ClaimResult.Claimed) result;
  }

  public CompleteResult complete(Attempt attempt, StoredResponse response, Effect... effects) {
    return await(store.complete(attempt.claim(), response, List.of(effects)));
  }

  /** Completes with {@link #CREATED} and expects that it is stored. */
  public Expiry completed(Attempt attempt, Effect... effects) {
    CompleteResult result = complete(attempt, CREATED, effects);
    assertThat(result).isInstanceOf(CompleteResult.Completed.class);
    return ((CompleteResult.Completed) result).expiry();
  }

  public ReleaseResult release(Attempt attempt) {
    return await(store.release(attempt.claim()));
  }

  /** Releases and expects that the claim is released. */
  public void released(Attempt attempt) {
    assertThat(release(attempt)).isEqualTo(ReleaseResult.RELEASED);
  }

  public Set<Token> renew(Attempt... attempts) {
    return await(store.renew(Stream.of(attempts).map(Attempt::claim).toList()));
  }

  /** Renews and expects that the claim is held. */
  public void renewed(Attempt attempt) {
    assertThat(renew(attempt)).isEmpty();
  }

  /** Records a step and expects that it is recorded. */
  public void recorded(Attempt attempt, String name, String result) {
    assertThat(step(attempt, name, result)).isEqualTo(StepResult.RECORDED);
  }

  public StepResult step(Attempt attempt, String name, String result) {
    return step(attempt, name, Buffer.buffer(result));
  }

  public StepResult step(Attempt attempt, String name, Buffer result) {
    return await(store.recordStep(attempt.claim(), name, result));
  }

  public KeyState lookup(Attempt attempt) {
    return await(store.lookup(attempt.key()));
  }

  public KeyState watch(Attempt attempt) {
    return await(store.watch(attempt.key()));
  }
}
