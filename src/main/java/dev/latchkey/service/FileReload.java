package dev.latchkey.service;

import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.ApiKeys;
import dev.latchkey.service.http.HttpVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes API keys and the certificate from their files again. What cannot be read leaves the current
 * ones in use and is logged. Safe for any thread.
 */
final class FileReload {

  private static final Logger LOG = LoggerFactory.getLogger(FileReload.class);
  private static final long WATCH_MILLIS = 20_000;

  private final Vertx vertx;
  private final ServeConfig config;
  private final List<HttpVerticle> verticles;
  private volatile Optional<PemKeyCertOptions> inUse;

  FileReload(
      Vertx vertx,
      ServeConfig config,
      List<HttpVerticle> verticles,
      Optional<PemKeyCertOptions> certificate) {
    this.vertx = vertx;
    this.config = config;
    this.verticles = verticles;
    inUse = certificate;
    if (certificate.isPresent()) {
      vertx.setPeriodic(WATCH_MILLIS, id -> reloadCertificate());
    }
  }

  /** Reloads both; completes when all that could be read is in use. */
  Future<Void> reload() {
    return Future.join(reloadKeys(), reloadCertificate()).mapEmpty();
  }

  private Future<?> reloadKeys() {
    if (config.apiKeys().isEmpty()) {
      return Future.succeededFuture();
    }
    ApiKeys keys = config.apiKeys().get();
    return vertx
        .<Void>executeBlocking(
            () -> {
              keys.reload();
              return null;
            },
            false)
        .onSuccess(v -> LOG.info("{} in use", keys))
        .otherwise(
            cause -> {
              LOG.error("the API keys in use remain: {}", cause.getMessage());
              return null;
            });
  }

  private Future<?> reloadCertificate() {
    if (config.certificate().isEmpty()) {
      return Future.succeededFuture();
    }
    return vertx
        .executeBlocking(() -> config.certificate().get().read(vertx), false)
        .compose(read -> inUse.equals(Optional.of(read)) ? Future.succeededFuture() : use(read))
        .otherwise(
            cause -> {
              LOG.error("the certificate in use remains: {}", cause.getMessage());
              return null;
            });
  }

  private Future<Void> use(PemKeyCertOptions read) {
    return Future.all(verticles.stream().map(verticle -> verticle.update(read)).toList())
        .<Void>mapEmpty()
        .onSuccess(
            v -> {
              inUse = Optional.of(read);
              LOG.info("the certificate was reloaded");
            });
  }
}
