/**
 * Real servers for tests: Postgres and Redis, from containers where a Docker engine answers, else
 * from embedded binaries.
 */
package dev.latchkey.testing.servers;
