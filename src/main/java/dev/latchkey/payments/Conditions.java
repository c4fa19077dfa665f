package dev.latchkey.payments;

import dev.latchkey.ledger.Precondition;
import dev.latchkey.ledger.Precondition.Any;
import dev.latchkey.ledger.Precondition.Versions;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code If-Match} and {@code If-None-Match} (RFC 9110, section 13.1). A field that is no
 * list of entity tags is refused rather than ignored: whoever sends one means to be protected.
 */
final class Conditions {

  private Conditions() {}

  static Checked<Precondition> of(MultiMap headers) {
    FieldErrors errors = new FieldErrors();
    Precondition condition =
        new Precondition(
            field("If-Match", false, headers, errors),
            field("If-None-Match", true, headers, errors));
    return errors.check(condition);
  }

  private static Optional<Versions> field(
      String name, boolean weakly, MultiMap headers, FieldErrors errors) {
    List<String> lines = headers.getAll(name);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    String value = String.join(",", lines).strip();
    if (value.equals("*")) {
      return Optional.of(new Any());
    }
    Optional<Versions> versions = EntityTag.versions(value, weakly).map(it -> it);
    if (versions.isEmpty()) {
      errors.add(
          "", "the header " + name + " must be * or entity tags such as \"1\", with their quotes");
    }
    return versions;
  }
}
