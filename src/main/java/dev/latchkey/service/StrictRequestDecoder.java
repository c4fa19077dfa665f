package dev.latchkey.service;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpUtils;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.http.impl.headers.HeadersMultiMap;
import java.util.function.BiConsumer;

/**
 * Reads HTTP/1.1 requests as Vert.x does, and more strictly where a proxy before this server may
 * see another request than it does (RFC 9112, sections 3.2 and 6.1): one Host, one way to tell the
 * body's length, no header without a name, and no version but 1.1 and 1.0. What is refused ends as
 * {@link RefusedHeadException} in the decoder result.
 *
 * <p>It is milder in one thing. Control characters in an {@code Idempotency-Key} are left to the
 * grammar of keys, which refuses them in its turn and by the right name, as it does over HTTP/2.
 * RFC 9110, section 5.5 lets a recipient keep them where they are harmless, and a key that is not
 * well-formed is never stored, sent on or echoed. The three that it does not let through, CR, LF
 * and NUL, are refused here, as {@link NotHttpException}.
 *
 * <p>Confined to its event loop.
 */
final class StrictRequestDecoder extends VertxHttpRequestDecoder {

  /** The name that Vert.x gives to its decoder, and finds it by. */
  private static final String NAME = "httpDecoder";

  private static final AsciiString KEY_HEADER = AsciiString.cached("Idempotency-Key");
  private static final AsciiString HOST = AsciiString.cached("Host");
  private static final AsciiString LENGTH = AsciiString.cached("Content-Length");
  private static final AsciiString CODING = AsciiString.cached("Transfer-Encoding");

  private final BiConsumer<CharSequence, CharSequence> check = this::check;
  private int hosts;
  private int lengths;
  private int codings;

  /** An idempotency key that no HTTP message can hold. */
  static final class NotHttpException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private NotHttpException() {
      super(KEY_HEADER + " holds CR, LF or NUL");
    }
  }

  /** A head that cannot be served, with the status and the words to answer it. */
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
   * Has a connection read with this decoder if it turns out to be HTTP/1.1. To be called after the
   * HTTP server has set the connection up, before anything is read.
   */
  static void install(ChannelPipeline pipeline, HttpServerOptions options) {
    pipeline.addBefore(ConnectionGuard.NAME, null, new Installing(options));
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    hosts = 0;
    lengths = 0;
    codings = 0;
    // Compared as written: Vert.x knows the two by identity, and they alone are read as such.
    if (!initialLine[2].equals("HTTP/1.1") && !initialLine[2].equals("HTTP/1.0")) {
      throw initialLine[2].startsWith("HTTP/")
          ? new RefusedHeadException(505, "send it as HTTP/1.1, or as HTTP/2 with prior knowledge")
          : new RefusedHeadException(400, "the request line names no version of HTTP");
    }
    return new DefaultHttpRequest(
        HttpVersion.valueOf(initialLine[2]),
        HttpMethod.valueOf(initialLine[0]),
        initialLine[1],
        HeadersMultiMap.httpHeaders(check));
  }

  /** Netty asks this once, when it has read a head whole and before it passes it on. */
  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    boolean needsHost = message.protocolVersion().equals(HttpVersion.HTTP_1_1);
    if (hosts > 1 || (hosts == 0 && needsHost)) {
      throw new RefusedHeadException(400, "exactly one Host header is needed");
    }
    if (codings > 0) {
      if (lengths > 0 || codings > 1 || !needsHost) {
        throw new RefusedHeadException(
            400, "a body has either a Content-Length or, from version 1.1 on, one coding, chunked");
      }
    }
    return super.isContentAlwaysEmpty(message);
  }

  private void check(CharSequence name, CharSequence value) {
    switch (name.length()) {
      case 0 -> throw new RefusedHeadException(400, "a header has no name");
      case 4 -> hosts += HOST.contentEqualsIgnoreCase(name) ? 1 : 0;
      case 14 -> lengths += LENGTH.contentEqualsIgnoreCase(name) ? 1 : 0;
      case 17 -> coding(name, value);
      default -> {}
    }
    try {
      HttpUtils.validateHeader(name, value);
    } catch (IllegalArgumentException refused) {
      if (!KEY_HEADER.contentEqualsIgnoreCase(name)) {
        throw refused;
      }
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c == '\r' || c == '\n' || c == 0) {
          throw new NotHttpException();
        }
      }
    }
  }

  private void coding(CharSequence name, CharSequence value) {
    if (CODING.contentEqualsIgnoreCase(name)) {
      codings++;
      if (!HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(value)) {
        throw new RefusedHeadException(
            400, "its Transfer-Encoding is not understood, only chunked is");
      }
    }
  }

  /** The first bytes come by after the server has put its decoder here and before it sees them. */
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
