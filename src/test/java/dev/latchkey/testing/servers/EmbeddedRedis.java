package dev.latchkey.testing.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts Redis from the embedded binary, or from one that is installed. */
final class EmbeddedRedis {

  private static final String READY = "Ready to accept connections";

  private EmbeddedRedis() {}

  static ServerControl start(List<String> arguments) {
    return start(Binaries.redis(), arguments);
  }

  /** Starts the given {@code redis-server}. */
  static ServerControl start(Path program, List<String> arguments) {
    int port = Ports.free();
    return run(program, port, List.of("--port", Integer.toString(port)), arguments);
  }

  /** Starts one that speaks TLS alone, with a certificate, and asks clients for none. */
  static ServerControl start(TestCertificate certificate, List<String> arguments) {
    int port = Ports.free();
    Path certificateFile = certificate.certificateFile();
    return run(
        Binaries.redis(),
        port,
        List.of(
            "--port",
            "0",
            "--tls-port",
            Integer.toString(port),
            "--tls-cert-file",
            certificateFile.toString(),
            "--tls-key-file",
            certificate.keyFile().toString(),
            "--tls-ca-cert-file",
            certificateFile.toString(),
            "--tls-auth-clients",
            "no"),
        arguments);
  }

  private static ServerControl run(
      Path program, int port, List<String> listening, List<String> arguments) {
    Path home = Directories.temporary("latchkey-redis");
    List<String> command = new ArrayList<>();
    command.addAll(List.of(program.toString(), "--bind", "127.0.0.1"));
    command.addAll(listening);
    command.addAll(List.of("--dir", home.toString(), "--save", ""));
    command.addAll(arguments);
    return new EmbeddedControl(new EmbeddedControl.Command(command, home, port, READY, "TERM"));
  }
}
