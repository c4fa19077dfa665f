package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A sink that tells its reports to a test and acts on them as that likes. */
final class Sinks implements Sink {

  static final List<Header> NO_EXTRA = List.of();

  final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
  final Consumer<Answer> onCaptured;
  final Consumer<OverflowContinuation> onOverflow;
  final Runnable onAborted;

  Sinks(
      Consumer<Answer> onCaptured, Consumer<OverflowContinuation> onOverflow, Runnable onAborted) {
    this.onCaptured = onCaptured;
    this.onOverflow = onOverflow;
    this.onAborted = onAborted;
  }

  static Sinks captured(Consumer<Answer> then) {
    return new Sinks(then, go -> {}, () -> {});
  }

  static Sinks overflow(Consumer<OverflowContinuation> then) {
    return new Sinks(answer -> {}, then, () -> {});
  }

  static Sinks aborted(Runnable then) {
    return new Sinks(answer -> {}, go -> {}, then);
  }

  @Override
  public void captured(Answer answer) {
    reports.add("captured " + answer.status() + " " + answer.stored().body());
    onCaptured.accept(answer);
  }

  @Override
  public void overflow(int status, Optional<String> location, OverflowContinuation go) {
    reports.add("overflow " + status + " " + location.orElse("-"));
    onOverflow.accept(go);
  }

  @Override
  public void aborted(Throwable why) {
    reports.add("aborted " + why.getMessage());
    onAborted.run();
  }
}
