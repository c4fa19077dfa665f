package dev.latchkey.web.fingerprint;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.json.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Builds the fingerprint of a request: SHA-256 over
 *
 * <ol>
 *   <li>a version byte;
 *   <li>method and path, each after its length;
 *   <li>the number of query parameters and each parameter after its length, in the order of {@link
 *       CanonicalQuery};
 *   <li>if there is an {@code If-Match}, a byte and the header's value after its length;
 *   <li>a byte for the kind of body (none, JSON, other) and, unless there is none, the media type
 *       in lower case without its parameters, after its length;
 *   <li>the body: the canonical form of {@link CanonicalJson} for {@code application/json} and
 *       {@code +json}, otherwise the bytes as sent.
 * </ol>
 *
 * Different sequences of parts never give the same bytes: every part but the last follows its
 * length, and the last follows its kind. The path is taken as given. A request without a body has
 * the same fingerprint for every media type. Parameters of the media type do not count, since
 * clients differ in sending {@code charset}. Used by one thread, for one request.
 */
public final class FingerprintBuilder {

  private static final byte[] NO_SKETCH = {};
  private static final int VERSION = 1;
  private static final int NO_BODY = 0;
  private static final int JSON_BODY = 1;
  private static final int OTHER_BODY = 2;
  private static final int IF_MATCH = 3;

  private final String method;
  private final String path;
  private final String query;
  private final String mediaType;
  private String ifMatch = "";

  /**
   * Takes everything but the body.
   *
   * @param method as sent
   * @param path in the form that the application routes by
   * @param query without the question mark, as sent; empty for none
   * @param contentType as sent; empty for none
   */
  public FingerprintBuilder(String method, String path, String query, String contentType) {
    this.method = method;
    this.path = path;
    this.query = query;
    int semicolon = contentType.indexOf(';');
    String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    this.mediaType = type.strip().toLowerCase(Locale.ROOT);
  }

  /**
   * Adds the condition on which the request is carried out.
   *
   * @param value of {@code If-Match}, its lines joined by commas; empty for none
   * @return this
   */
  public FingerprintBuilder ifMatch(String value) {
    ifMatch = value;
    return this;
  }

  /** Returns whether a body of this media type is compared as JSON. */
  public boolean isJson() {
    return mediaType.equals("application/json") || mediaType.endsWith("+json");
  }

  /**
   * Builds the fingerprint of a request with a JSON body.
   *
   * @param body as parsed by {@link dev.latchkey.json.StrictJson}
   * @return the fingerprint
   */
  public Fingerprint withJson(JsonNode body) {
    StringBuilder canonical = new StringBuilder(512);
    byte[] sketch = MemberSketch.write(body, canonical);
    Sha256 sha256 = new Sha256();
    addHead(sha256);
    sha256.addByte(JSON_BODY);
    sha256.addText(mediaType);
    sha256.addBytes(canonical.toString().getBytes(StandardCharsets.UTF_8));
    return Fingerprint.of(sha256.finish(), sketch);
  }

  /**
   * Builds the fingerprint of a request whose body is compared byte by byte.
   *
   * @param body as sent, not modified; empty for none
   * @return the fingerprint
   */
  public Fingerprint withBytes(byte[] body) {
    Sha256 sha256 = new Sha256();
    addHead(sha256);
    if (body.length == 0) {
      sha256.addByte(NO_BODY);
      return Fingerprint.of(sha256.finish(), MemberSketch.ofNoBody());
    }
    sha256.addByte(OTHER_BODY);
    sha256.addText(mediaType);
    sha256.addBytes(body);
    return Fingerprint.of(sha256.finish(), NO_SKETCH);
  }

  private void addHead(Sha256 sha256) {
    sha256.addByte(VERSION);
    sha256.addText(method);
    sha256.addText(path);
    List<String> parameters = CanonicalQuery.parameters(query);
    sha256.addInt(parameters.size());
    parameters.forEach(sha256::addText);
    if (!ifMatch.isEmpty()) {
      sha256.addByte(IF_MATCH);
      sha256.addText(ifMatch);
    }
  }
}
