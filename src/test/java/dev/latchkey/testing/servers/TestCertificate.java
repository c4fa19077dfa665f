package dev.latchkey.testing.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A key with a self-signed certificate, made by the JDK's keytool.
 *
 * @param certificateFile the certificate in PEM; a client that trusts it trusts the server
 * @param certificatePem what is in certificateFile
 * @param keyFile the key in PEM
 * @param keyPem what is in keyFile
 */
public record TestCertificate(
    Path certificateFile, String certificatePem, Path keyFile, String keyPem) {

  private static final String PASSWORD = "changeit";

  /**
   * Makes one.
   *
   * @param directory where its files go
   * @param names whom it is for, such as {@code ip:127.0.0.1} and {@code dns:localhost}
   */
  public static TestCertificate create(Path directory, String... names) {
    Path store = directory.resolve("test.p12");
    ServerProcess.run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-alias",
            "test",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=latchkey-test",
            "-ext",
            "san=" + String.join(",", names),
            "-validity",
            "2"));
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      Key key = keys.getKey("test", PASSWORD.toCharArray());
      String keyPem = pem("PRIVATE KEY", key.getEncoded());
      Path keyFile = directory.resolve("test.key");
      Directories.writePrivate(keyFile, keyPem);
      Path certificateFile = directory.resolve("test.pem");
      String certificatePem = pem("CERTIFICATE", keys.getCertificate("test").getEncoded());
      Files.writeString(certificateFile, certificatePem);
      return new TestCertificate(certificateFile, certificatePem, keyFile, keyPem);
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError("cannot make a certificate", e);
    }
  }

  private static String pem(String type, byte[] der) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
  }
}
