package dev.latchkey.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Contenders that all start at a barrier, one thread each, over and over. */
public final class Race implements AutoCloseable {

  private static final long ROUND_SECONDS = 120;

  private final int contenders;
  private final ExecutorService threads;

  /** Starts one thread per contender. */
  public Race(int contenders) {
    this.contenders = contenders;
    this.threads = Executors.newFixedThreadPool(contenders);
  }

  /** Lets all contenders act at once and returns their results, by number. */
  public <T> List<T> run(IntFunction<T> contender) {
    CyclicBarrier start = new CyclicBarrier(contenders);
    List<Future<T>> running = new ArrayList<>();
    for (int i = 0; i < contenders; i++) {
      int number = i;
      running.add(
          threads.submit(
              () -> {
                start.await(ROUND_SECONDS, TimeUnit.SECONDS);
                return contender.apply(number);
              }));
    }
    return running.stream().map(Race::result).toList();
  }

  private static <T> T result(Future<T> running) {
    try {
      return running.get(ROUND_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new AssertionError("a contender failed", failed.getCause());
    } catch (Exception stopped) {
      throw new AssertionError("a contender did not finish", stopped);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
