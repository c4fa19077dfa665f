/** Several nodes of the service on one Postgres, in this process or in their own. */
package dev.latchkey.nodes;
