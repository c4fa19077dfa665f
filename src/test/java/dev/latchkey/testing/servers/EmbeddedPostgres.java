package dev.latchkey.testing.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prepares and starts Postgres from the embedded binaries. */
final class EmbeddedPostgres {

  private static final String READY = "database system is ready to accept connections";

  private EmbeddedPostgres() {}

  static ServerControl start(List<String> settings) {
    Path home = Directories.temporary("latchkey-postgres");
    initialise(home);
    return run(home, settings);
  }

  /** Starts one that speaks TLS with a certificate. */
  static ServerControl start(TestCertificate certificate) {
    Path home = Directories.temporary("latchkey-postgres");
    initialise(home);
    // Copies, since Postgres may run as another user and wants the key to be its own alone.
    Path key = home.resolve("server.key");
    Path chain = home.resolve("server.pem");
    Directories.writePrivate(key, certificate.keyPem());
    Directories.writePrivate(chain, certificate.certificatePem());
    Unprivileged.own(home);
    return run(home, List.of("ssl=on", "ssl_cert_file=" + chain, "ssl_key_file=" + key));
  }

  private static void initialise(Path home) {
    Path password = home.resolve("password");
    Directories.writePrivate(password, PostgresServer.PASSWORD);
    Unprivileged.own(home);
    List<String> command = new ArrayList<>(Unprivileged.prefix());
    command.addAll(
        List.of(
            Binaries.postgres().resolve("bin/initdb").toString(),
            "--pgdata=" + home.resolve("data"),
            "--username=" + PostgresServer.USER,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync"));
    ServerProcess.run(command);
    try {
      Files.delete(password);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static ServerControl run(Path home, List<String> settings) {
    int port = Ports.free();
    List<String> all = new ArrayList<>(PostgresServer.DURABLE);
    all.addAll(
        List.of(
            "listen_addresses=127.0.0.1",
            "port=" + port,
            "unix_socket_directories=",
            "max_connections=200",
            "lc_messages=C"));
    all.addAll(settings);
    List<String> command = new ArrayList<>(Unprivileged.prefix());
    command.add(Binaries.postgres().resolve("bin/postgres").toString());
    command.addAll(List.of("-D", home.resolve("data").toString()));
    all.forEach(setting -> command.addAll(List.of("-c", setting)));
    // "INT" is the fast shutdown: connections are cut, their transactions rolled back.
    return new EmbeddedControl(new EmbeddedControl.Command(command, home, port, READY, "INT"));
  }
}
