/** Connections to Postgres that are made when they are needed and remade when they break. */
@NullMarked
package dev.latchkey.store.postgres.connection;

import org.jspecify.annotations.NullMarked;
