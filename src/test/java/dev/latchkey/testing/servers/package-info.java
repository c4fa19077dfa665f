/**
 * Real servers for tests: Postgres and Redis, from containers where a Docker engine responds, else
 * from embedded binaries.
 */
package dev.latchkey.testing.servers;
