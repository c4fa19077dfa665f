package dev.latchkey.web.fingerprint;

import dev.latchkey.core.spi.Fingerprint;
import java.util.List;
import java.util.Locale;

/**
 * Makes the fingerprint of a request: SHA-256 over
 *
 * <ol>
 *   <li>a version byte;
 *   <li>method and path, each with its length before it;
 *   <li>the number of query parameters and each of them, with its length, in the order of {@link
 *       CanonicalQuery};
 *   <li>a byte for the kind of body (none, JSON, other) and, unless there is none, the media type
 *       in lower case without its parameters, with its length;
 *   <li>the body: the canonical text of {@link CanonicalJson} for {@code application/json} and
 *       {@code +json}, otherwise the bytes as sent.
 * </ol>
 *
 * No two different sequences of parts give the same bytes: every part but the last says how long it
 * is, and the kind of the last stands before it. The path is taken as given. A call without a body
 * has the same fingerprint whatever media type it names. Parameters of the media type do not count,
 * since clients differ in sending {@code charset}. Stateless.
 */
public final class FingerprintBuilder {

  private static final byte[] NO_SKETCH = {};
  private static final int VERSION = 1;
  private static final int NO_BODY = 0;
  private static final int JSON_BODY = 1;
  private static final int OTHER_BODY = 2;

  private FingerprintBuilder() {}

  /** What became of a request. */
  public sealed interface Result {}

  /**
   * The request is sound as far as this layer reads it.
   *
   * @param fingerprint of the request, with the member sketch of its body
   */
  public record Fingerprinted(Fingerprint fingerprint) implements Result {}

  /**
   * The body is not what its media type says.
   *
   * @param pointer RFC 6901, to the place or something around it
   * @param detail what is wrong, without values
   */
  public record Malformed(String pointer, String detail) implements Result {}

  /**
   * Makes the fingerprint.
   *
   * @param method as sent
   * @param path in the form that the application routes by
   * @param query without the question mark, as sent; empty for none
   * @param contentType as sent; empty for none
   * @param body as sent, not changed
   * @param maxJsonDepth how many levels a JSON body may nest, positive
   * @return the fingerprint, or what is wrong with the body
   */
  public static Result build(
      String method, String path, String query, String contentType, byte[] body, int maxJsonDepth) {
    Workspace workspace = Workspace.begin();
    ByteSink sink = workspace.sink;
    sink.putByte(VERSION);
    sink.putPart(method);
    sink.putPart(path);
    List<String> parameters = CanonicalQuery.parameters(query);
    sink.putShort(parameters.size() >>> 16);
    sink.putShort(parameters.size());
    parameters.forEach(sink::putPart);
    if (body.length == 0) {
      sink.putByte(NO_BODY);
      return fingerprinted(workspace, SketchWriter.NO_BODY);
    }
    String mediaType = mediaType(contentType);
    if (!isJson(mediaType)) {
      sink.putByte(OTHER_BODY);
      sink.putPart(mediaType);
      sink.putBytes(body, 0, body.length);
      return fingerprinted(workspace, NO_SKETCH);
    }
    sink.putByte(JSON_BODY);
    sink.putPart(mediaType);
    int start = sink.size();
    if (workspace.plain.write(body, maxJsonDepth, sink)) {
      return fingerprinted(workspace, workspace.sketches.write(workspace.plain, sink, start));
    }
    CanonicalJson.Result json = CanonicalJson.parse(body, maxJsonDepth);
    if (json instanceof CanonicalJson.Malformed malformed) {
      return new Malformed(malformed.pointer(), malformed.detail());
    }
    JsonTree tree = ((CanonicalJson.Parsed) json).tree();
    tree.write(sink);
    return fingerprinted(workspace, workspace.sketches.write(tree));
  }

  /** Returns whether bodies of this media type, in lower case, are read as JSON. */
  static boolean isJson(String mediaType) {
    return mediaType.equals("application/json") || mediaType.endsWith("+json");
  }

  /** Returns the media type of a {@code Content-Type} in lower case, without parameters. */
  static String mediaType(String contentType) {
    int semicolon = contentType.indexOf(';');
    String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return type.strip().toLowerCase(Locale.ROOT);
  }

  private static Fingerprinted fingerprinted(Workspace workspace, byte[] sketch) {
    return new Fingerprinted(Fingerprint.of(workspace.sha256.of(workspace.sink), sketch));
  }
}
