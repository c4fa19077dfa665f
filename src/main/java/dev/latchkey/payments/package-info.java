/**
 * The payments API: what a request may say, what the business rules are, what a client reads. Uses
 * the idempotency layer through its public API alone.
 */
@NullMarked
package dev.latchkey.payments;

import org.jspecify.annotations.NullMarked;
