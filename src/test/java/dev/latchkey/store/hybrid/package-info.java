/** Tests of the store that keeps claims and receipts apart. */
package dev.latchkey.store.hybrid;
