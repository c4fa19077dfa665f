/** Where payments and customers live: what is kept, how it is read, and the writes as data. */
@NullMarked
package dev.latchkey.ledger;

import org.jspecify.annotations.NullMarked;
