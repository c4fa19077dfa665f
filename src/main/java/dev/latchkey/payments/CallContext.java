package dev.latchkey.payments;

import java.util.function.UnaryOperator;

/**
 * In whose name a keyed call runs.
 *
 * @param tenant who calls
 * @param idempotencyKey the client's key
 * @param downstreamKey derives the key of a call to the PSP from its name, the same on every
 *     attempt at this request
 */
record CallContext(String tenant, String idempotencyKey, UnaryOperator<String> downstreamKey) {}
