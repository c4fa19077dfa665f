package dev.latchkey.service.http;

import dev.latchkey.service.ops.DrainState;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.Optional;

/**
 * An address with its connections, shared by the verticles that serve it.
 *
 * @param host the address to listen on
 * @param port the port; a negative number is one free port for all verticles with that number
 * @param limits for its connections
 * @param connections the open ones
 * @param drain state of the drain
 * @param certificate for HTTPS; cleartext without it
 */
public record Listener(
    String host,
    int port,
    ConnectionLimits limits,
    OpenConnections connections,
    DrainState drain,
    Optional<PemKeyCertOptions> certificate) {}
