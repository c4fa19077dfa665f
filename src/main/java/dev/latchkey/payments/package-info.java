/**
 * The payments API: what a request may say, what the business rules are, what a client reads. Calls
 * that move money run under an idempotency key; customers and the texts of payments are written
 * under preconditions instead (RFC 9110, section 13). Uses the idempotency layer through its public
 * API alone.
 */
@NullMarked
package dev.latchkey.payments;

import org.jspecify.annotations.NullMarked;
