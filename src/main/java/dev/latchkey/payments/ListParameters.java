package dev.latchkey.payments;

import dev.latchkey.ledger.PaymentQuery;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the query of a list of payments. Pure. */
final class ListParameters {

  private static final Set<String> KNOWN =
      Set.of("limit", "starting_after", "customer", "idempotency_key");
  private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,2}");

  /** What an unknown {@code starting_after} is told. */
  static final FieldError NOT_IN_LIST =
      new FieldError("/starting_after", "must be the id of a payment of this list");

  private ListParameters() {}

  static Checked<PaymentQuery> parse(String tenant, MultiMap parameters) {
    FieldErrors errors = new FieldErrors();
    QueryParameters.only(KNOWN, parameters, errors);
    PaymentQuery query =
        new PaymentQuery(
            tenant,
            limit(parameters, errors),
            text("starting_after", parameters, errors),
            text("customer", parameters, errors),
            text("idempotency_key", parameters, errors));
    return errors.check(query);
  }

  private static int limit(MultiMap parameters, FieldErrors errors) {
    Optional<String> text = text("limit", parameters, errors);
    if (text.isEmpty()) {
      return PaymentQuery.DEFAULT_LIMIT;
    }
    if (LIMIT.matcher(text.get()).matches()) {
      int limit = Integer.parseInt(text.get());
      if (limit <= PaymentQuery.MAX_LIMIT) {
        return limit;
      }
    }
    errors.add("/limit", "must be an integer from 1 to " + PaymentQuery.MAX_LIMIT);
    return PaymentQuery.DEFAULT_LIMIT;
  }

  private static Optional<String> text(String name, MultiMap parameters, FieldErrors errors) {
    List<String> values = parameters.getAll(name);
    if (values.isEmpty()) {
      return Optional.empty();
    }
    if (values.size() > 1 || values.get(0).indexOf(0) >= 0) {
      errors.add("/" + name, "must be given once, as text");
      return Optional.empty();
    }
    return Optional.of(values.get(0));
  }
}
