/**
 * A simulated payment service provider. It runs as an HTTP server ({@link
 * dev.latchkey.psp.simulator.SimulatorServer}) or inside the service ({@link
 * dev.latchkey.psp.simulator.PspSimulator#gateway}).
 */
@NullMarked
package dev.latchkey.psp.simulator;

import org.jspecify.annotations.NullMarked;
