package dev.latchkey.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpUtils;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import io.vertx.core.http.impl.headers.HeadersMultiMap;

/**
 * Reads the heads of HTTP/1.1 requests as Vert.x does, every header checked as strictly, but for
 * one: control characters in an {@code Idempotency-Key} are left to the grammar of keys, which
 * refuses them in its turn and by the right name, as it does over HTTP/2. RFC 9110, section 5.5
 * lets a recipient keep them where they are harmless, and a key that is not well-formed is never
 * stored, sent on or echoed. The three that it does not let through, CR, LF and NUL, are refused
 * here, as {@link NotHttpException}.
 *
 * <p>Confined to its event loop.
 */
final class KeyHeaderDecoder extends VertxHttpRequestDecoder {

  /** The name that Vert.x gives to its decoder, and finds it by. */
  private static final String NAME = "httpDecoder";

  private static final String KEY_HEADER = "Idempotency-Key";

  /** An idempotency key that no HTTP message can hold. */
  static final class NotHttpException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private NotHttpException() {
      super(KEY_HEADER + " holds CR, LF or NUL");
    }
  }

  private KeyHeaderDecoder(HttpServerOptions options) {
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
    return new DefaultHttpRequest(
        HttpVersion.valueOf(initialLine[2]),
        HttpMethod.valueOf(initialLine[0]),
        initialLine[1],
        HeadersMultiMap.httpHeaders(KeyHeaderDecoder::check));
  }

  private static void check(CharSequence name, CharSequence value) {
    try {
      HttpUtils.validateHeader(name, value);
    } catch (IllegalArgumentException refused) {
      if (!AsciiString.contentEqualsIgnoreCase(name, KEY_HEADER)) {
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

  /** The first bytes come by after the server has put its decoder here and before it sees them. */
  private static final class Installing extends ChannelInboundHandlerAdapter {

    private final HttpServerOptions options;

    Installing(HttpServerOptions options) {
      this.options = options;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (ctx.pipeline().get(NAME) != null) {
        ctx.pipeline().replace(NAME, NAME, new KeyHeaderDecoder(options));
      }
      ctx.pipeline().remove(this);
      ctx.fireChannelRead(message);
    }
  }
}
