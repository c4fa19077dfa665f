package dev.latchkey.payments;

import static java.util.stream.Collectors.joining;

import dev.latchkey.ledger.PaymentFilter;
import dev.latchkey.ledger.PaymentQuery;
import dev.latchkey.ledger.PaymentStatus;
import dev.latchkey.ledger.RefundQuery;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the query of a call without a key. Invalid ones throw {@link InvalidRequestException}. */
final class QueryParameters {

  /** For an unknown {@code starting_after}. */
  static final FieldError NOT_IN_LIST =
      new FieldError("/starting_after", "must be an id of this list");

  private static final Set<String> OF_LIST = Set.of("limit", "starting_after");
  private static final Set<String> OF_PAYMENTS =
      Set.of(
          "limit",
          "starting_after",
          "customer",
          "idempotency_key",
          "status",
          "created_after",
          "created_before");
  private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,2}");

  private QueryParameters() {}

  /** Passes a request without a query parameter on. */
  static void rejectAny(RoutingContext ctx) {
    FieldErrors errors = new FieldErrors();
    checkNames(Set.of(), of(ctx), errors);
    errors.check();
    ctx.next();
  }

  static MultiMap of(RoutingContext ctx) {
    String query = ctx.request().query();
    // Vert.x replaces invalid UTF-8, and the replacement may be a valid name.
    if (query != null && PathSegment.decode(query).isEmpty()) {
      throw new InvalidRequestException(
          List.of(new FieldError("", "the query is not percent-encoded UTF-8")));
    }
    return ctx.queryParams();
  }

  /** Reads the query of a list of payments. */
  static PaymentQuery payments(String tenant, MultiMap parameters) {
    FieldErrors errors = new FieldErrors();
    checkNames(OF_PAYMENTS, parameters, errors);
    PaymentFilter filter =
        new PaymentFilter(
            text("customer", parameters, errors),
            text("idempotency_key", parameters, errors),
            status(parameters, errors),
            time("created_after", Rfc3339.Rounding.DOWN, parameters, errors),
            time("created_before", Rfc3339.Rounding.UP, parameters, errors));
    PaymentQuery query =
        new PaymentQuery(
            tenant, limit(parameters, errors), text("starting_after", parameters, errors), filter);
    errors.check();
    return query;
  }

  /** Reads the query of a list of the refunds of a payment. */
  static RefundQuery refunds(String tenant, String payment, MultiMap parameters) {
    FieldErrors errors = new FieldErrors();
    checkNames(OF_LIST, parameters, errors);
    RefundQuery query =
        new RefundQuery(
            tenant, payment, limit(parameters, errors), text("starting_after", parameters, errors));
    errors.check();
    return query;
  }

  private static Optional<PaymentStatus> status(MultiMap parameters, FieldErrors errors) {
    Optional<String> text = text("status", parameters, errors);
    Optional<PaymentStatus> status = text.flatMap(PaymentStatus::of);
    if (text.isPresent() && status.isEmpty()) {
      String all =
          Stream.of(PaymentStatus.values()).map(PaymentStatus::text).collect(joining(", "));
      errors.add("/status", "must be one of " + all);
    }
    return status;
  }

  private static OptionalLong time(
      String name, Rfc3339.Rounding rounding, MultiMap parameters, FieldErrors errors) {
    Optional<String> text = text(name, parameters, errors);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    OptionalLong millis = Rfc3339.millis(text.get(), rounding);
    if (millis.isEmpty()) {
      errors.add(
          "/" + name, "must be a time such as 2026-11-23T10:00:00Z (RFC 3339), percent-encoded");
    }
    return millis;
  }

  private static void checkNames(Set<String> known, MultiMap parameters, FieldErrors errors) {
    for (String name : parameters.names()) {
      if (!known.contains(name)) {
        errors.add(FieldError.pointer("", name), "unknown query parameter");
      }
    }
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
