package dev.latchkey.service.cli;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/**
 * Root certificates for the verification of a server. Read once, so that no connection reads a
 * file.
 *
 * @param file the file
 * @param pem its content
 */
record TrustedRoots(Path file, Buffer pem) {

  /** The parameter of a URI that names the file. */
  static final String PARAMETER = "sslrootcert";

  private static final long MAX_BYTES = 4 << 20;

  /**
   * Reads a file of at most 4 MiB.
   *
   * @param name the file, in PEM
   * @throws IllegalArgumentException if it cannot be read or holds no certificate
   */
  static TrustedRoots read(String name) {
    try {
      Path file = Path.of(name);
      if (Files.size(file) > MAX_BYTES) {
        throw new IllegalArgumentException(
            "its " + PARAMETER + " '" + name + "' is larger than 4 MiB");
      }
      byte[] bytes = Files.readAllBytes(file);
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      if (factory.generateCertificates(new ByteArrayInputStream(bytes)).isEmpty()) {
        throw new IllegalArgumentException(
            "its " + PARAMETER + " '" + name + "' has no certificate");
      }
      return new TrustedRoots(file, Buffer.buffer(bytes));
    } catch (IOException | InvalidPathException e) {
      throw new IllegalArgumentException("its " + PARAMETER + " '" + name + "' cannot be read");
    } catch (CertificateException e) {
      throw new IllegalArgumentException(
          "its " + PARAMETER + " '" + name + "' is not a certificate");
    }
  }

  /** Returns new options that trust these alone. */
  PemTrustOptions trustOptions() {
    return new PemTrustOptions().addCertValue(pem.copy());
  }
}
