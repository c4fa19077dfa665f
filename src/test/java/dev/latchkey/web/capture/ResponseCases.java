package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Responses to {@code /x}: everything that a captured handler may do. */
final class ResponseCases {

  private static final Iterable<String> TWO = List.of("2", "3");
  private static final Buffer BINARY = Buffer.buffer();

  static {
    for (int i = 0; i < 1024; i++) {
      BINARY.appendByte((byte) i);
    }
  }

  interface Responding {
    void respond(RoutingContext ctx) throws Exception;
  }

  private final Map<String, Consumer<Router>> ways = new LinkedHashMap<>();
  private final Path file;

  private ResponseCases(Path file) {
    this.file = file;
  }

  /** All cases by name; {@code file} is a readable text file. */
  static Map<String, Consumer<Router>> all(Vertx vertx, Path file) {
    ResponseCases all = new ResponseCases(file);
    all.whole();
    all.pieces();
    all.files();
    all.heads();
    all.failures();
    new RoutingCases(all, vertx, file).add();
    return all.ways;
  }

  /** Name, version and case, for HTTP/1.1 and HTTP/2. */
  static Stream<Arguments> overBothVersions(Vertx vertx, Path file) {
    return all(vertx, file).entrySet().stream()
        .flatMap(
            way ->
                Stream.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)
                    .map(it -> Arguments.of(way.getKey(), it, way.getValue())));
  }

  void way(String name, Responding responding) {
    ways.put(
        name,
        router ->
            router
                .route("/x")
                .handler(
                    ctx -> {
                      try {
                        responding.respond(ctx);
                      } catch (RuntimeException e) {
                        throw e;
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    }));
  }

  void routes(String name, Consumer<Router> routes) {
    ways.put(name, routes);
  }

  private void whole() {
    way("json object", ctx -> ctx.json(new JsonObject().put("id", "pay_1")));
    way("json array", ctx -> ctx.json(new JsonArray().add(1).add("é")));
    way("end without a body", ctx -> ctx.response().end());
    way("end with an empty text", ctx -> ctx.response().end(""));
    way("end with a text", ctx -> ctx.response().setStatusCode(201).end("grün"));
    way("end with a text in a charset", ctx -> ctx.response().end("grün", "ISO-8859-1"));
    way("end with bytes", ctx -> ctx.response().end(BINARY.copy()));
    way("ctx.end", ctx -> ctx.end("over the context"));
    way("send nothing", ctx -> ctx.response().send());
    way("send a text", ctx -> ctx.response().send("text"));
    way("send bytes", ctx -> ctx.response().send(BINARY.copy()));
    way("204", ctx -> ctx.response().setStatusCode(204).end());
    way("205", ctx -> ctx.response().setStatusCode(205).end());
    way("304", ctx -> ctx.response().setStatusCode(304).putHeader("ETag", "\"1\"").end());
    way(
        "304 with a length",
        ctx -> ctx.response().setStatusCode(304).putHeader("Content-Length", "17").end());
    way(
        "buffer used again",
        ctx -> {
          Buffer one = Buffer.buffer("once");
          ctx.response().setChunked(true).write(one);
          ctx.response().write(one);
          ctx.response().end(one);
        });
  }

  private void pieces() {
    way(
        "chunked",
        ctx -> {
          HttpServerResponse response = ctx.response().setChunked(true);
          response.write("a");
          response.write("bö", "UTF-8").onSuccess(v -> response.end("c"));
        });
    way("chunked, ended at once", ctx -> ctx.response().setChunked(true).end("all"));
    way("chunked and empty", ctx -> ctx.response().setChunked(true).end());
    way(
        "pieces of a known length",
        ctx -> {
          ctx.response().putHeader("Content-Length", "6").write("abc");
          ctx.response().end("def");
        });
    way(
        "head first",
        ctx -> {
          ctx.response().setChunked(true).writeHead();
          ctx.response().end("body");
        });
    way(
        "trailers",
        ctx -> {
          ctx.response().setChunked(true).write("a");
          ctx.response().putTrailer("X-Sum", "1").putTrailer("X-More", TWO).end();
        });
    way("trailers with a length", ctx -> ctx.response().putTrailer("X-Sum", "1").end("body"));
    way("send a stream", ctx -> open(ctx).onSuccess(in -> ctx.response().send(in)));
    way("pipe", ctx -> open(ctx).onSuccess(in -> in.pipeTo(ctx.response().setChunked(true))));
    way(
        "a header after the first write",
        ctx -> {
          ctx.response().setChunked(true).write("a");
          ctx.response().headers().set("X-Late", "no");
          ctx.response().end();
        });
  }

  private Future<AsyncFile> open(RoutingContext ctx) {
    return ctx.vertx().fileSystem().open(file.toString(), new OpenOptions().setWrite(false));
  }

  private void files() {
    way("file", ctx -> ctx.response().sendFile(file.toString()));
    way("file from an offset", ctx -> ctx.response().sendFile(file.toString(), 7));
    way("part of a file", ctx -> ctx.response().sendFile(file.toString(), 7, 9));
    way("more than the file", ctx -> ctx.response().sendFile(file.toString(), 7, 1 << 20));
    way(
        "file of a set type",
        ctx -> ctx.response().putHeader("Content-Type", "a/b").sendFile(file.toString()));
    way(
        "missing file",
        ctx ->
            ctx.response()
                .sendFile(file + ".none")
                .onFailure(e -> ctx.response().setStatusCode(404).end("none")));
    way(
        "negative offset",
        ctx ->
            ctx.response()
                .sendFile(file.toString(), -1)
                .onFailure(e -> ctx.response().setStatusCode(400).end(e.getMessage())));
    way(
        "offset past the end",
        ctx ->
            ctx.response()
                .sendFile(file.toString(), 1 << 20)
                .onFailure(e -> ctx.response().setStatusCode(400).end(e.getMessage())));
    way(
        "open file",
        ctx ->
            ctx.response()
                .sendFile(new RandomAccessFile(file.toFile(), "r"), 3, 10)
                .onFailure(e -> ctx.fail(501)));
    way(
        "channel",
        ctx -> ctx.response().sendFile(FileChannel.open(file)).onFailure(e -> ctx.fail(501)));
    way("attachment", ctx -> ctx.attachment("report.csv").response().end("a,b"));
  }

  private void heads() {
    way("redirect", ctx -> ctx.redirect("https://shop.example/ok"));
    way(
        "a status message",
        ctx -> ctx.response().setStatusCode(299).setStatusMessage("So So").end());
    way(
        "header on several lines",
        ctx -> {
          ctx.response().putHeader("Link", TWO).headers().add("Vary", "Accept");
          ctx.response().headers().add("Vary", "Origin");
          ctx.response().end();
        });
    way(
        "header taken away",
        ctx -> {
          ctx.response().headers().remove("X-Before");
          ctx.response().end("x");
        });
    way("header changed", ctx -> ctx.response().putHeader("X-Default", "changed").end("x"));
    way(
        "cookies",
        ctx -> {
          ctx.response().addCookie(Cookie.cookie("a", "1"));
          ctx.response().addCookie(Cookie.cookie("b", "2").setPath("/"));
          ctx.response().removeCookie("a");
          ctx.response().addCookie(Cookie.cookie("c", "3"));
          ctx.response().headers().add("Set-Cookie", "d=4").add("Set-Cookie", "e=5; Path=/");
          ctx.response().end("x");
        });
    way(
        "early hints",
        ctx ->
            ctx.response()
                .writeEarlyHints(MultiMap.caseInsensitiveMultiMap().add("link", "<a>"))
                .onComplete(r -> ctx.response().end("x")));
  }

  private void failures() {
    way(
        "throw",
        ctx -> {
          throw new IllegalStateException("thrown");
        });
    way("fail with a status", ctx -> ctx.fail(409));
    way("fail with an exception", ctx -> ctx.fail(new HttpException(402)));
    way(
        "headers and then fail",
        ctx -> {
          ctx.response().putHeader("X-Half", "1").setStatusCode(201);
          ctx.fail(500);
        });
    routes(
        "failure handler",
        router ->
            router
                .route("/x")
                .handler(ctx -> ctx.fail(new IllegalStateException("x")))
                .failureHandler(ctx -> ctx.response().setStatusCode(422).end("handled")));
    routes(
        "error handler",
        router -> {
          router.errorHandler(410, ctx -> ctx.response().setStatusCode(410).end("gone"));
          router.route("/x").handler(ctx -> ctx.fail(410));
        });
    routes(
        "failing failure handler",
        router ->
            router
                .route("/x")
                .handler(ctx -> ctx.fail(400))
                .failureHandler(
                    ctx -> {
                      throw new IllegalStateException("again");
                    }));
    way(
        "double end",
        ctx -> {
          ctx.response().putHeader("X-First", "1").end("first");
          String second;
          try {
            ctx.response().end("second");
            second = "taken";
          } catch (IllegalStateException e) {
            second = e.getMessage();
          }
          if (!second.equals("Response has already been written")) {
            throw new AssertionError(second);
          }
        });
    way("no route", RoutingContext::next);
    routes("wrong method", router -> router.delete("/x").handler(ctx -> ctx.end("x")));
    way(
        "unframed write",
        ctx -> {
          ctx.response().write("a");
          ctx.response().end("b");
        });
  }
}
