package dev.latchkey.payments;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.ledger.Payment;
import dev.latchkey.web.Problem;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** What a call came to. */
sealed interface Conclusion {

  /**
   * It was done, and the books say so already.
   *
   * @param reply what the client reads
   */
  record Done(Reply reply) implements Conclusion {}

  /**
   * It was done, and the books say so once this effect is applied.
   *
   * @param reply what the client reads if it is
   * @param effect what to book with the reply
   * @param refused says what it came to instead when the effect does not apply; asks the PSP for
   *     nothing
   */
  record Booked(Reply reply, LedgerEffect effect, Supplier<Future<Conclusion>> refused)
      implements Conclusion {}

  /**
   * It was not done, or nobody knows.
   *
   * @param problem what the client reads
   */
  record Failed(Problem problem) implements Conclusion {}

  /**
   * A successful answer.
   *
   * @param status the HTTP status code
   * @param location where the new resource is, if there is one
   * @param version which state of the resource this is, if it has any
   * @param resource what the body says
   */
  record Reply(int status, Optional<String> location, OptionalLong version, Resource resource) {

    static Reply of(int status, Optional<String> location, Payment payment) {
      return new Reply(
          status, location, OptionalLong.of(payment.version()), new PaymentResource(payment));
    }

    JsonObject body() {
      return resource.json();
    }
  }
}
