/**
 * Claims in one place, answers and effects in another that commits them together. {@link
 * dev.latchkey.store.hybrid.HybridStore} asks both before anything runs; the ledger's receipt
 * decides what a key's answer is.
 */
@NullMarked
package dev.latchkey.store.hybrid;

import org.jspecify.annotations.NullMarked;
