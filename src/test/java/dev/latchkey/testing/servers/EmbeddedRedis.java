package dev.latchkey.testing.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Redis from the embedded binary. */
final class EmbeddedRedis extends RedisServer {

  private final Path program = Binaries.redis();
  private final Path home;
  private final int port = Ports.free();
  private final List<String> arguments;
  private final Thread hook = new Thread(this::end, "end-of-redis");
  private ServerProcess process;

  EmbeddedRedis(List<String> arguments) {
    this.arguments = List.copyOf(arguments);
    try {
      home = Files.createTempDirectory("latchkey-redis");
    } catch (IOException e) {
      throw new AssertionError("cannot prepare Redis", e);
    }
    Runtime.getRuntime().addShutdownHook(hook);
    process = start();
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }

  @Override
  public int port() {
    return port;
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
  public void restart() {
    process.kill9();
    process = start();
  }

  @Override
  public void stop() {
    process.end("TERM");
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
    Directories.delete(home);
  }

  private ServerProcess start() {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "--bind", "127.0.0.1", "--port", port + ""));
    command.addAll(List.of("--dir", home.toString(), "--daemonize", "no"));
    command.addAll(List.of("--save", ""));
    command.addAll(arguments);
    return ServerProcess.start(command, "Ready to accept connections", home);
  }
}
