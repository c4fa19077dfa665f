/** The gateway client of the payment service provider: calls, results, retries, HTTP transport. */
@NullMarked
package dev.latchkey.psp;

import org.jspecify.annotations.NullMarked;
