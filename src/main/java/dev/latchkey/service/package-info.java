/** The running service: joins command line, HTTP front, API and stores. */
@NullMarked
package dev.latchkey.service;

import org.jspecify.annotations.NullMarked;
