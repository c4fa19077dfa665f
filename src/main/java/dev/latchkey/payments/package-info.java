/**
 * The payments API: schema, business rules and responses. Calls that move money run under an
 * idempotency key. Customers and the texts of payments are written under preconditions instead (RFC
 * 9110, section 13). Uses only the public API of the idempotency layer.
 */
@NullMarked
package dev.latchkey.payments;

import org.jspecify.annotations.NullMarked;
