package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A case of the store contract that a store cannot be asked is skipped for all to see. */
class SkippedCasesTest {

  /** A fixture without optional capabilities. */
  static class BareStoreContract extends StoreContractTest {
    @Override
    protected StoreFixture open() {
      AtomicLong now = new AtomicLong(1_700_000_000_000L);
      IdempotencyStore store =
          MemoryStore.create(
              new MemoryBudget(64 << 20), EffectTarget.NONE, () -> Instant.ofEpochMilli(now.get()));
      return new StoreFixture() {
        @Override
        public IdempotencyStore store() {
          return store;
        }

        @Override
        public void advanceMillis(long millis) {
          now.addAndGet(millis);
        }
      };
    }
  }

  private final Set<String> passed = new TreeSet<>();
  private final Map<String, String> skipped = new TreeMap<>();
  private final Map<String, String> failed = new TreeMap<>();

  @Test
  @DisplayName("mistake 19: a skipped case counts as passed")
  void mistake19() {
    run(BareStoreContract.class);

    assertThat(failed).isEmpty();
    assertThat(skipped.values())
        .as("why")
        .containsOnly(
            "this store applies no effects",
            "this store's clock cannot be held",
            "this store cannot be made to forget a record",
            "this store has no bound of its own",
            "this store keeps nothing beyond its process");
    assertThat(skipped.keySet()).containsAll(casesOf(EffectContract.class));
    assertThat(passed).doesNotContainAnyElementsOf(skipped.keySet());
    assertThat(passed).as("what such a store can be asked").isNotEmpty();
  }

  private static Set<String> casesOf(Class<?> contract) {
    return Arrays.stream(contract.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(method -> method.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void run(Class<?> cases) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(cases)).build();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                finished(test, result);
              }
            });
  }

  private void finished(TestIdentifier test, TestExecutionResult result) {
    if (!test.isTest()) {
      return;
    }
    String name =
        test.getSource()
            .map(MethodSource.class::cast)
            .map(MethodSource::getMethodName)
            .orElseThrow();
    String why = result.getThrowable().map(Throwable::getMessage).orElse("");
    switch (result.getStatus()) {
      case SUCCESSFUL -> passed.add(name);
      case ABORTED -> skipped.put(name, why.replace("Assumption failed: ", ""));
      case FAILED -> failed.put(name, why);
    }
  }
}
