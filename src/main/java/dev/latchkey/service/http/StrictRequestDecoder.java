package dev.latchkey.service.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpUtils;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import java.util.List;

/**
 * Reads HTTP/1.1 requests as Vert.x does, and refuses heads that a proxy may read differently (RFC
 * 9112, sections 3.2 and 6.1): not exactly one Host, a Transfer-Encoding other than one {@code
 * chunked}, a header without a name, a version other than 1.1 and 1.0. Netty itself refuses
 * Content-Length with Transfer-Encoding, and Transfer-Encoding in HTTP/1.0.
 *
 * <p>Control characters in an {@code Idempotency-Key} reach the key syntax check, which responds
 * {@code idempotency-key-malformed}. CR, LF and NUL do not, see {@link MalformedKeyException}.
 *
 * <p>Confined to its event loop.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

  /** The name of the decoder in a pipeline of Vert.x. */
  private static final String NAME = "httpDecoder";

  private static final AsciiString KEY_HEADER = AsciiString.cached("Idempotency-Key");

  /** An idempotency key that no HTTP message may contain. */
  static final class MalformedKeyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private MalformedKeyException() {
      super(KEY_HEADER + " contains CR, LF or NUL");
    }
  }

  /** A head that is refused. The message is the detail of the response. */
  static final class RefusedHeadException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** An HTTP status code of 400 or more. */
    final int status;

    private RefusedHeadException(int status, String detail) {
      super(detail);
      this.status = status;
    }
  }

  private StrictRequestDecoder(HttpServerOptions options) {
    super(options);
  }

  /**
   * Replaces the decoder of a connection if it turns out to be HTTP/1.1. To be called after the
   * HTTP server has set the connection up, before anything is read.
   */
  static void install(ChannelPipeline pipeline, HttpServerOptions options) {
    pipeline.addBefore(ConnectionGuard.NAME, null, new Installing(options));
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    // Compared as written: Vert.x compares the two by identity.
    if (!initialLine[2].equals("HTTP/1.1") && !initialLine[2].equals("HTTP/1.0")) {
      throw initialLine[2].startsWith("HTTP/")
          ? new RefusedHeadException(505, "Use HTTP/1.1, or HTTP/2 with prior knowledge")
          : new RefusedHeadException(400, "The request line names no version of HTTP");
    }
    return new DefaultHttpRequest(
        HttpVersion.valueOf(initialLine[2]),
        HttpMethod.valueOf(initialLine[0]),
        initialLine[1],
        HeadersMultiMap.httpHeaders(StrictRequestDecoder::checkHeader));
  }

  /** Called by Netty once per request, when the head is complete and not yet passed on. */
  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage head) {
    int hosts = head.headers().getAll(HttpHeaderNames.HOST).size();
    if (hosts > 1 || (hosts == 0 && head.protocolVersion().equals(HttpVersion.HTTP_1_1))) {
      throw new RefusedHeadException(400, "Exactly one Host header is required");
    }
    List<String> codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (codings.size() > 1
        || !codings.stream().allMatch(HttpHeaderValues.CHUNKED::contentEqualsIgnoreCase)) {
      throw new RefusedHeadException(400, "The only supported Transfer-Encoding is one 'chunked'");
    }
    return super.isContentAlwaysEmpty(head);
  }

  private static void checkHeader(CharSequence name, CharSequence value) {
    if (name.length() == 0) {
      throw new RefusedHeadException(400, "A header has no name");
    }
    if (!KEY_HEADER.contentEqualsIgnoreCase(name)) {
      HttpUtils.validateHeader(name, value);
      return;
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\r' || c == '\n' || c == 0) {
        throw new MalformedKeyException();
      }
    }
  }

  /** Acts on the first bytes: the server has chosen its decoder, and has not read anything. */
  private static final class Installing extends ChannelInboundHandlerAdapter {

    private final HttpServerOptions options;

    Installing(HttpServerOptions options) {
      this.options = options;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (ctx.pipeline().get(NAME) != null) {
        ctx.pipeline().replace(NAME, NAME, new StrictRequestDecoder(options));
      }
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(message);
    }
  }
}
