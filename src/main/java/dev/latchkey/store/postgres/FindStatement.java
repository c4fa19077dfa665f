package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipt;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads many receipts in one statement. */
final class FindStatement implements BatchStatement<ScopedKey, Optional<Receipt>> {

  private static final long FIXED_BYTES = 100;

  @Override
  public String operation() {
    return "find receipt";
  }

  @Override
  public long bytes(ScopedKey call) {
    return FIXED_BYTES;
  }

  @Override
  public Predicate<ScopedKey> fitting() {
    return key -> true;
  }

  @Override
  public Future<List<Verdict<Optional<Receipt>>>> run(Link link, List<ScopedKey> calls) {
    return ReceiptRows.find(link, calls)
        .map(
            found ->
                found.stream()
                    .<Verdict<Optional<Receipt>>>map(
                        it ->
                            it.succeeded()
                                ? new Verdict.Settled<>(it.result())
                                : new Verdict.Failed<>(Failures.of(operation(), it.cause())))
                    .toList());
  }
}
