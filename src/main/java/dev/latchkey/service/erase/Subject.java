package dev.latchkey.service.erase;

import dev.latchkey.core.spi.StoredResponse;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whose data is erased: a customer of a tenant, or what one idempotency key stored.
 *
 * @param tenant the tenant
 * @param isCustomer true for a customer's reference, false for an idempotency key
 * @param id the reference or key
 */
public record Subject(String tenant, boolean isCustomer, String id) {

  private static final Pattern PAYMENT = Pattern.compile("pay_[0-9A-Za-z]{1,64}");

  /**
   * Returns what replaces a stored response of this subject. A caller that repeats the request then
   * gets 409 and the location of the resource, and nothing runs again.
   *
   * @param key the key that the response is stored under
   * @param payments the subject's payments
   * @return empty if the response stays
   */
  Optional<StoredResponse> replacement(String key, StoredResponse response, Set<String> payments) {
    boolean own = !isCustomer && key.equals(id);
    return response.retained() && (own || mentions(response, payments))
        ? Optional.of(StoredResponse.notRetained(response.status(), response.header("Location")))
        : Optional.empty();
  }

  private static boolean mentions(StoredResponse response, Set<String> payments) {
    return PAYMENT
        .matcher(response.body().toString())
        .results()
        .anyMatch(found -> payments.contains(found.group()));
  }
}
