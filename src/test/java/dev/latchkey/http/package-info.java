/**
 * The contract of the running service, over real sockets and any store. {@link
 * dev.latchkey.http.HttpContractTest} is what a store's own test class extends.
 */
package dev.latchkey.http;
