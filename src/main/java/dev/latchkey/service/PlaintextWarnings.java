package dev.latchkey.service;

import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.Hosts;
import io.vertx.pgclient.SslMode;
import java.util.ArrayList;
import java.util.List;

/** Finds connections to other hosts that are not encrypted. */
final class PlaintextWarnings {

  private PlaintextWarnings() {}

  /** Returns one line for each; resolves host names, blocking. */
  static List<String> of(ServeConfig config) {
    List<String> warnings = new ArrayList<>();
    String host = config.options().host();
    if (config.operation().tlsCert().isEmpty() && !Hosts.isLoopback(host)) {
      warnings.add(
          "clients connect to %s without TLS; set --tls-cert and --tls-key".formatted(host));
    }
    config
        .stores()
        .postgres()
        .filter(database -> database.sslMode().compareTo(SslMode.REQUIRE) < 0)
        .filter(database -> !Hosts.isLoopback(database.uri().host()))
        .ifPresent(
            database ->
                warnings.add(
                    "connections to %s may lack TLS; set sslmode=verify-full".formatted(database)));
    config
        .stores()
        .redis()
        .filter(redis -> redis.nodes().get(0).scheme().equals("redis"))
        .filter(redis -> redis.nodes().stream().anyMatch(node -> !Hosts.isLoopback(node.host())))
        .ifPresent(
            redis -> warnings.add("connections to %s lack TLS; use rediss://".formatted(redis)));
    config
        .options()
        .pspUrl()
        .filter(url -> url.getScheme().equals("http") && !Hosts.isLoopback(url.getHost()))
        .ifPresent(url -> warnings.add("connections to the PSP at %s lack TLS".formatted(url)));
    return warnings;
  }
}
