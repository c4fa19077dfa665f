/**
 * What every client of a server needs: back-off, one log line per outage, a subscription that
 * survives lost connections, and the bound on memory. Depends on nothing else of Latchkey.
 */
@NullMarked
package dev.latchkey.net;

import org.jspecify.annotations.NullMarked;
