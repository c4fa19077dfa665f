package dev.latchkey.load;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * Handles SIGINT and SIGTERM of this process until closed. The first signal requests an orderly
 * end; the next ends the process at once with the usual exit code of the signal. A signal that the
 * process was started to ignore stays ignored.
 *
 * <p>A shutdown hook does not work, because the runtime handles no second signal while hooks run.
 * {@code sun.misc.Signal} is called by reflection, because the compiler warns of it. Without it
 * signals end the process as usual.
 */
final class StopSignals implements AutoCloseable {
  private static final int KILLED_BY = 128;
  private static final int INTERRUPT = 2;
  private static final int TERMINATE = 15;

  private final List<Replaced> replaced = new ArrayList<>();
  private boolean stopRequested;

  /** A signal and its previous handler. */
  private record Replaced(Object signal, Object handler) {}

  /**
   * Installs the handlers.
   *
   * @param stop runs at most once, on a thread of the runtime; must not block
   */
  StopSignals(Runnable stop) {
    replace("INT", INTERRUPT, stop);
    replace("TERM", TERMINATE, stop);
  }

  private void replace(String name, int number, Runnable stop) {
    try {
      Class<?> type = Class.forName("sun.misc.SignalHandler");
      Object signal =
          Class.forName("sun.misc.Signal").getConstructor(String.class).newInstance(name);
      Object handler =
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, args) -> {
                switch (method.getName()) {
                  case "handle" -> received(number, stop);
                  case "equals" -> {
                    return proxy == args[0];
                  }
                  case "hashCode" -> {
                    return number;
                  }
                  default -> {}
                }
                return null;
              });
      Object before = handle(signal, handler);
      if (before.equals(type.getField("SIG_IGN").get(null))) {
        handle(signal, before);
      } else {
        replaced.add(new Replaced(signal, before));
      }
    } catch (ReflectiveOperationException e) {
      // Also thrown if the runtime must not use the signal (-Xrs).
      return;
    }
  }

  private static Object handle(Object signal, Object handler) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.SignalHandler");
    Method handle = signal.getClass().getMethod("handle", signal.getClass(), type);
    return handle.invoke(null, signal, handler);
  }

  private synchronized void received(int number, Runnable stop) {
    if (stopRequested) {
      Runtime.getRuntime().halt(KILLED_BY + number);
    }
    stopRequested = true;
    stop.run();
  }

  /** Restores the previous handlers. */
  @Override
  public void close() {
    for (Replaced it : replaced) {
      try {
        handle(it.signal(), it.handler());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot restore a signal handler", e);
      }
    }
  }
}
