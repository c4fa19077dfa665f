package dev.latchkey.service.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Idle and slow streams of one HTTP/2 connection, observed at periodic checks. A stream that is
 * open at a check, or was opened since the previous one, counts as activity. Confined to its event
 * loop.
 */
final class Http2Streams {

  private final ConnectionLimits limits;
  private Http2Connection.@Nullable PropertyKey receivingSince;
  private Http2Connection.@Nullable PropertyKey unreadSince;
  private long idleSinceNanos = System.nanoTime();
  private int lastStreamSeen;

  Http2Streams(ConnectionLimits limits) {
    this.limits = limits;
  }

  /** Creates a listener for the end of each stream. */
  static Http2Connection.Listener onStreamClosed(Runnable action) {
    return new Http2ConnectionAdapter() {
      @Override
      public void onStreamClosed(Http2Stream stream) {
        action.run();
      }
    };
  }

  /**
   * Resets streams whose body is too slow or whose response is not read.
   *
   * @param ctx of the connection's HTTP/2 handler
   * @param handler of the connection
   * @param nowNanos of the monotonic clock
   * @return whether the connection is idle beyond its limit
   */
  boolean check(ChannelHandlerContext ctx, Http2ConnectionHandler handler, long nowNanos) {
    Http2Connection connection = handler.connection();
    int lastStream = connection.remote().lastStreamCreated();
    if (connection.numActiveStreams() > 0 || lastStream != lastStreamSeen) {
      idleSinceNanos = nowNanos;
      lastStreamSeen = lastStream;
    }
    for (Http2Stream slow : slowStreams(connection, nowNanos)) {
      handler.resetStream(ctx, slow.id(), Http2Error.CANCEL.code(), ctx.newPromise());
      ctx.flush();
    }
    return nowNanos - idleSinceNanos >= limits.idleNanos();
  }

  /**
   * Refuses the streams whose request is incomplete and has no response. Nothing was executed for
   * them, so a client may retry elsewhere (RFC 9113, section 8.7).
   *
   * @param ctx of the connection's HTTP/2 handler
   * @param handler of the connection
   */
  void refuseArriving(ChannelHandlerContext ctx, Http2ConnectionHandler handler) {
    List<Http2Stream> arriving = new ArrayList<>();
    forEach(
        handler.connection(),
        stream -> {
          if (stream.state().remoteSideOpen() && !stream.isHeadersSent()) {
            arriving.add(stream);
          }
        });
    for (Http2Stream stream : arriving) {
      handler.resetStream(ctx, stream.id(), Http2Error.REFUSED_STREAM.code(), ctx.newPromise());
    }
    ctx.flush();
  }

  private static void forEach(Http2Connection connection, Consumer<Http2Stream> each) {
    try {
      connection.forEachActiveStream(
          stream -> {
            each.accept(stream);
            return true;
          });
    } catch (Http2Exception e) {
      throw new IllegalStateException("the visitor throws nothing", e);
    }
  }

  private List<Http2Stream> slowStreams(Http2Connection connection, long nowNanos) {
    Http2Connection.PropertyKey receiving = receivingSince;
    Http2Connection.PropertyKey unread = unreadSince;
    if (receiving == null || unread == null) {
      receiving = connection.newKey();
      receivingSince = receiving;
      unread = connection.newKey();
      unreadSince = unread;
    }
    List<Http2Stream> slow = new ArrayList<>();
    Http2Connection.PropertyKey body = receiving;
    Http2Connection.PropertyKey response = unread;
    forEach(
        connection,
        stream -> {
          boolean isUnread =
              stream.isHeadersSent() && !connection.remote().flowController().isWritable(stream);
          if (lasts(stream, body, stream.state().remoteSideOpen(), nowNanos, limits.bodyNanos())
              || lasts(stream, response, isUnread, nowNanos, limits.idleNanos())) {
            slow.add(stream);
          }
        });
    return slow;
  }

  /** Whether a condition has held at each check for longer than its limit. */
  private static boolean lasts(
      Http2Stream stream,
      Http2Connection.PropertyKey since,
      boolean holds,
      long nowNanos,
      long limitNanos) {
    if (!holds) {
      stream.removeProperty(since);
      return false;
    }
    Long first = stream.getProperty(since);
    if (first == null) {
      stream.setProperty(since, nowNanos);
      return false;
    }
    return nowNanos - first >= limitNanos;
  }
}
