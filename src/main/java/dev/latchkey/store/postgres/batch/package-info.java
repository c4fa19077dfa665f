/** Natural batching: concurrent calls of one kind share a statement. */
@NullMarked
package dev.latchkey.store.postgres.batch;

import org.jspecify.annotations.NullMarked;
