package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** Records the results of capturing and runs a test's reaction to them. */
final class RecordingListener implements CaptureListener {

  static final List<Header> NO_EXTRA = List.of();

  final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
  final Consumer<CapturedResponse> onCaptured;
  final Consumer<OversizedResponse> onOversized;
  final Runnable onAborted;

  RecordingListener(
      Consumer<CapturedResponse> onCaptured,
      Consumer<OversizedResponse> onOversized,
      Runnable onAborted) {
    this.onCaptured = onCaptured;
    this.onOversized = onOversized;
    this.onAborted = onAborted;
  }

  static RecordingListener captured(Consumer<CapturedResponse> then) {
    return new RecordingListener(then, go -> {}, () -> {});
  }

  static RecordingListener oversized(Consumer<OversizedResponse> then) {
    return new RecordingListener(response -> {}, then, () -> {});
  }

  static RecordingListener aborted(Runnable then) {
    return new RecordingListener(response -> {}, go -> {}, then);
  }

  @Override
  public void captured(CapturedResponse response) {
    reports.add("captured " + response.status() + " " + response.stored().body());
    onCaptured.accept(response);
  }

  @Override
  public void oversized(int status, Optional<String> location, OversizedResponse go) {
    reports.add("oversized " + status + " " + location.orElse("-"));
    onOversized.accept(go);
  }

  @Override
  public void aborted(Throwable why) {
    reports.add("aborted " + why.getMessage());
    onAborted.run();
  }
}
