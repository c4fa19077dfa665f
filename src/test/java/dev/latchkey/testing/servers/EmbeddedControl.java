package dev.latchkey.testing.servers;

import java.nio.file.Path;
import java.util.List;

/** A server from the embedded binaries, as processes of this machine. */
final class EmbeddedControl implements ServerControl {

  private final Command command;
  private final Thread hook = new Thread(this::end, "end-of-server");
  private ServerProcess process;

  /**
   * What it takes to run a server.
   *
   * @param words the command
   * @param home holds its data; deleted in the end
   * @param port where it listens, on 127.0.0.1
   * @param readyMark what its output says when it is ready
   * @param stopSignal ends it in an orderly way
   */
  record Command(List<String> words, Path home, int port, String readyMark, String stopSignal) {}

  EmbeddedControl(Command command) {
    this.command = command;
    Runtime.getRuntime().addShutdownHook(hook);
    start();
  }

  @Override
  public String kind() {
    return "embedded";
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }

  @Override
  public int port() {
    return command.port();
  }

  @Override
  public void start() {
    process = ServerProcess.start(command.words(), command.readyMark(), command.home());
  }

  @Override
  public void kill9() {
    process.kill9();
  }

  @Override
  public void pause() {
    process.signal("STOP");
  }

  @Override
  public void resume() {
    process.signal("CONT");
  }

  @Override
  public void stop() {
    process.end(command.stopSignal());
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(hook);
    end();
  }

  private void end() {
    if (process != null) {
      process.kill9();
    }
    Directories.delete(command.home());
  }
}
