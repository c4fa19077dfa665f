/** HTTP front: server, connections, authentication, errors. */
@NullMarked
package dev.latchkey.service.http;

import org.jspecify.annotations.NullMarked;
