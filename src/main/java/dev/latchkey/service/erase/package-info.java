/** Removes personal data of a customer or a key from the stores and the ledger. */
@NullMarked
package dev.latchkey.service.erase;

import org.jspecify.annotations.NullMarked;
