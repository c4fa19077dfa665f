package dev.latchkey.testing.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Postgres from the embedded binaries. */
final class EmbeddedPostgres extends PostgresServer {

  private static final String READY = "database system is ready to accept connections";
  private static final List<String> SETTINGS =
      List.of(
          "fsync=on",
          "synchronous_commit=on",
          "full_page_writes=on",
          "listen_addresses=127.0.0.1",
          "unix_socket_directories=",
          "max_connections=200",
          "lc_messages=C");

  private final Path bin = Binaries.postgres().resolve("bin");
  private final Path home;
  private final int port = Ports.free();
  private final List<String> settings;
  private final Thread hook = new Thread(this::end, "end-of-postgres");
  private ServerProcess process;

  EmbeddedPostgres(List<String> furtherSettings) {
    settings = new ArrayList<>(SETTINGS);
    settings.add("port=" + port);
    settings.addAll(furtherSettings);
    try {
      home = Files.createTempDirectory("latchkey-postgres");
      Path password = Files.writeString(home.resolve("password"), PASSWORD);
      Unprivileged.own(home);
      initialise(password);
      Files.delete(password);
    } catch (IOException e) {
      throw new AssertionError("cannot prepare Postgres", e);
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
    // "Fast": connections are cut, transactions rolled back, a checkpoint written.
    process.end("INT");
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

  private void initialise(Path password) {
    List<String> command = new ArrayList<>(Unprivileged.prefix());
    command.addAll(
        List.of(
            bin.resolve("initdb").toString(),
            "--pgdata=" + home.resolve("data"),
            "--username=" + USER,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync"));
    ServerProcess.run(command);
  }

  private ServerProcess start() {
    List<String> command = new ArrayList<>(Unprivileged.prefix());
    command.addAll(List.of(bin.resolve("postgres").toString(), "-D", home.resolve("data") + ""));
    settings.forEach(setting -> command.addAll(List.of("-c", setting)));
    return ServerProcess.start(command, READY, home);
  }
}
