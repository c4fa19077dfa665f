/** Command line and configuration: commands, options from flags, environment and file. */
@NullMarked
package dev.latchkey.service.cli;

import org.jspecify.annotations.NullMarked;
