package dev.latchkey.service.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.X509KeyManager;

/**
 * The certificate of the public listener and its key, in PEM files. Immutable.
 *
 * @param certificate the file with the certificate and its chain
 * @param key the file with the private key
 */
public record ServerCertificate(Path certificate, Path key) {

  /**
   * Reads both files. Blocking.
   *
   * @throws IllegalArgumentException if one is unreadable or the key belongs to another
   *     certificate, as while one file is replaced and the other not yet
   */
  public PemKeyCertOptions read(Vertx vertx) {
    try {
      byte[] pem = Files.readAllBytes(certificate);
      PemKeyCertOptions options =
          new PemKeyCertOptions()
              .setCertValue(Buffer.buffer(pem))
              .setKeyValue(Buffer.buffer(Files.readAllBytes(key)));
      checkPair(options, pem, vertx);
      return options;
    } catch (IOException e) {
      throw new IllegalArgumentException(
          e.getMessage() + " cannot be read (" + e.getClass().getSimpleName() + ")", e);
    } catch (Exception e) { // Vert.x declares no other type
      throw new IllegalArgumentException(
          certificate + " and " + key + " are not a certificate and its key in PEM", e);
    }
  }

  private static void checkPair(PemKeyCertOptions options, byte[] pem, Vertx vertx)
      throws Exception {
    PrivateKey privateKey =
        Arrays.stream(options.getKeyManagerFactory(vertx).getKeyManagers())
            .filter(X509KeyManager.class::isInstance)
            .map(X509KeyManager.class::cast)
            .flatMap(ServerCertificate::privateKeys)
            .findFirst()
            .orElseThrow();
    String algorithm =
        switch (privateKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> privateKey.getAlgorithm();
        };
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(privateKey);
    signature.update(pem);
    byte[] signed = signature.sign();
    signature.initVerify(
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
    signature.update(pem);
    if (!signature.verify(signed)) {
      throw new GeneralSecurityException("the key belongs to another certificate");
    }
  }

  private static Stream<PrivateKey> privateKeys(X509KeyManager manager) {
    return Stream.of("RSA", "EC", "EdDSA")
        .map(type -> manager.getServerAliases(type, null))
        .filter(Objects::nonNull)
        .flatMap(Arrays::stream)
        .map(manager::getPrivateKey);
  }
}
