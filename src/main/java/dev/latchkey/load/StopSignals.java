package dev.latchkey.load;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/**
 * SIGINT and SIGTERM of this process, until closed: the first asks for an orderly end, the next
 * ends the process at once, with the code that the signal alone would have given it. One that the
 * process was started to ignore stays ignored.
 *
 * <p>A shutdown hook would not do: the runtime takes no second signal while hooks run. The module
 * {@code jdk.unsupported} has what is needed, and is called by reflection, since the compiler warns
 * of it. Where it is missing, signals end the process as ever.
 */
final class StopSignals implements AutoCloseable {
  private static final int KILLED_BY = 128;
  private static final int INTERRUPT = 2;
  private static final int TERMINATE = 15;

  private final List<Taken> taken = new ArrayList<>();
  private boolean asked;

  /** A signal, and who had it before. */
  private record Taken(Object signal, Object handler) {}

  /**
   * Takes the signals over.
   *
   * @param stop run at most once, on a thread of the runtime's; must not block
   */
  StopSignals(Runnable stop) {
    take("INT", INTERRUPT, stop);
    take("TERM", TERMINATE, stop);
  }

  private void take(String name, int number, Runnable stop) {
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
        taken.add(new Taken(signal, before));
      }
    } catch (ReflectiveOperationException e) {
      // Also when the runtime was told to leave the signal alone (-Xrs).
      return;
    }
  }

  private static Object handle(Object signal, Object handler) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.SignalHandler");
    Method handle = signal.getClass().getMethod("handle", signal.getClass(), type);
    return handle.invoke(null, signal, handler);
  }

  private synchronized void received(int number, Runnable stop) {
    if (asked) {
      Runtime.getRuntime().halt(KILLED_BY + number);
    }
    asked = true;
    stop.run();
  }

  /** Gives the signals back. */
  @Override
  public void close() {
    for (Taken it : taken) {
      try {
        handle(it.signal(), it.handler());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a signal that was taken cannot be given back", e);
      }
    }
  }
}
