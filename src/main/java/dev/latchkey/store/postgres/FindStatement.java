package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
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
  public Future<List<CallOutcome<Optional<Receipt>>>> run(
      ReconnectingConnection connection, List<ScopedKey> calls) {
    return ReceiptRows.find(connection, calls)
        .map(
            found ->
                found.stream()
                    .<CallOutcome<Optional<Receipt>>>map(
                        it ->
                            it.succeeded()
                                ? new CallOutcome.Done<>(it.result())
                                : new CallOutcome.Failed<>(Failures.of(operation(), it.cause())))
                    .toList());
  }
}
