package dev.latchkey.payments;

import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;

/** Reads the query of a call that needs no key. */
final class QueryParameters {

  private QueryParameters() {}

  static Checked<MultiMap> of(RoutingContext ctx) {
    String query = ctx.request().query();
    // Vert.x reads what is no UTF-8 as replacement characters, which may be somebody's name.
    return query == null || LastSegment.decode(query).isPresent()
        ? new Checked.Valid<>(ctx.queryParams())
        : Checked.Invalid.of("", "the query is not percent-encoded UTF-8");
  }

  /** Refuses every parameter that is not among these. */
  static void only(Set<String> known, MultiMap parameters, FieldErrors errors) {
    for (String name : parameters.names()) {
      if (!known.contains(name)) {
        errors.add(FieldError.pointer("", name), "there is no such query parameter");
      }
    }
  }

  /** Passes on a request without a query, and refuses any other. */
  static void refuse(RoutingContext ctx) {
    Checked<MultiMap> checked = of(ctx);
    if (checked instanceof Checked.Valid<MultiMap> valid) {
      FieldErrors errors = new FieldErrors();
      only(Set.of(), valid.value(), errors);
      checked = errors.check(valid.value());
    }
    if (checked instanceof Checked.Invalid<MultiMap> invalid) {
      PaymentProblems.invalidRequest(invalid.errors()).send(ctx);
    } else {
      ctx.next();
    }
  }
}
