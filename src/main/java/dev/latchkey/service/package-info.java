/**
 * The running service: command line, configuration, authentication, HTTP, health, metrics, problem
 * pages, start and drain.
 */
@NullMarked
package dev.latchkey.service;

import org.jspecify.annotations.NullMarked;
