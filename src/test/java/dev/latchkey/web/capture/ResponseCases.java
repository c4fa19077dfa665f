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

  interface Responder {
    void respond(RoutingContext ctx) throws Exception;
  }

  private final Map<String, Consumer<Router>> cases = new LinkedHashMap<>();
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
    all.mistakes();
    new RoutingCases(all, vertx, file).add();
    return all.cases;
  }

  /** Name, version and case, for HTTP/1.1 and HTTP/2. */
  static Stream<Arguments> overBothVersions(Vertx vertx, Path file) {
    return all(vertx, file).entrySet().stream()
        .flatMap(
            entry ->
                Stream.of(HttpVersion.HTTP_1_1, HttpVersion.HTTP_2)
                    .map(version -> Arguments.of(entry.getKey(), version, entry.getValue())));
  }

  void respond(String name, Responder responder) {
    cases.put(
        name,
        router ->
            router
                .route("/x")
                .handler(
                    ctx -> {
                      try {
                        responder.respond(ctx);
                      } catch (RuntimeException e) {
                        throw e;
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    }));
  }

  void routes(String name, Consumer<Router> routes) {
    cases.put(name, routes);
  }

  private void whole() {
    respond("json object", ctx -> ctx.json(new JsonObject().put("id", "pay_1")));
    respond("json array", ctx -> ctx.json(new JsonArray().add(1).add("é")));
    respond("end without a body", ctx -> ctx.response().end());
    respond("end with an empty text", ctx -> ctx.response().end(""));
    respond("end with a text", ctx -> ctx.response().setStatusCode(201).end("grün"));
    respond("end with a text in a charset", ctx -> ctx.response().end("grün", "ISO-8859-1"));
    respond("end with bytes", ctx -> ctx.response().end(BINARY.copy()));
    respond("ctx.end", ctx -> ctx.end("over the context"));
    respond("send nothing", ctx -> ctx.response().send());
    respond("send a text", ctx -> ctx.response().send("text"));
    respond("send bytes", ctx -> ctx.response().send(BINARY.copy()));
    respond("204", ctx -> ctx.response().setStatusCode(204).end());
    respond("205", ctx -> ctx.response().setStatusCode(205).end());
    respond("304", ctx -> ctx.response().setStatusCode(304).putHeader("ETag", "\"1\"").end());
    respond(
        "304 with a length",
        ctx -> ctx.response().setStatusCode(304).putHeader("Content-Length", "17").end());
    respond(
        "buffer used again",
        ctx -> {
          Buffer one = Buffer.buffer("once");
          ctx.response().setChunked(true).write(one);
          ctx.response().write(one);
          ctx.response().end(one);
        });
  }

  private void pieces() {
    respond(
        "chunked",
        ctx -> {
          HttpServerResponse response = ctx.response().setChunked(true);
          response.write("a");
          response.write("bö", "UTF-8").onSuccess(v -> response.end("c"));
        });
    respond("chunked, ended at once", ctx -> ctx.response().setChunked(true).end("all"));
    respond("chunked and empty", ctx -> ctx.response().setChunked(true).end());
    respond(
        "pieces of a known length",
        ctx -> {
          ctx.response().putHeader("Content-Length", "6").write("abc");
          ctx.response().end("def");
        });
    respond(
        "head first",
        ctx -> {
          ctx.response().setChunked(true).writeHead();
          ctx.response().end("body");
        });
    respond(
        "trailers",
        ctx -> {
          ctx.response().setChunked(true).write("a");
          ctx.response().putTrailer("X-Sum", "1").putTrailer("X-More", TWO).end();
        });
    respond("trailers with a length", ctx -> ctx.response().putTrailer("X-Sum", "1").end("body"));
    respond("send a stream", ctx -> open(ctx).onSuccess(in -> ctx.response().send(in)));
    respond("pipe", ctx -> open(ctx).onSuccess(in -> in.pipeTo(ctx.response().setChunked(true))));
    respond(
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
    respond("file", ctx -> ctx.response().sendFile(file.toString()));
    respond("file from an offset", ctx -> ctx.response().sendFile(file.toString(), 7));
    respond("part of a file", ctx -> ctx.response().sendFile(file.toString(), 7, 9));
    respond("more than the file", ctx -> ctx.response().sendFile(file.toString(), 7, 1 << 20));
    respond(
        "file of a set type",
        ctx -> ctx.response().putHeader("Content-Type", "a/b").sendFile(file.toString()));
    respond(
        "missing file",
        ctx ->
            ctx.response()
                .sendFile(file + ".none")
                .onFailure(e -> ctx.response().setStatusCode(404).end("none")));
    respond(
        "negative offset",
        ctx ->
            ctx.response()
                .sendFile(file.toString(), -1)
                .onFailure(e -> ctx.response().setStatusCode(400).end(e.getMessage())));
    respond(
        "offset past the end",
        ctx ->
            ctx.response()
                .sendFile(file.toString(), 1 << 20)
                .onFailure(e -> ctx.response().setStatusCode(400).end(e.getMessage())));
    respond(
        "open file",
        ctx ->
            ctx.response()
                .sendFile(new RandomAccessFile(file.toFile(), "r"), 3, 10)
                .onFailure(e -> ctx.fail(501)));
    respond(
        "channel",
        ctx -> ctx.response().sendFile(FileChannel.open(file)).onFailure(e -> ctx.fail(501)));
    respond("attachment", ctx -> ctx.attachment("report.csv").response().end("a,b"));
  }

  private void heads() {
    respond("redirect", ctx -> ctx.redirect("https://shop.example/ok"));
    respond(
        "a status message",
        ctx -> ctx.response().setStatusCode(299).setStatusMessage("So So").end());
    respond(
        "header on several lines",
        ctx -> {
          ctx.response().putHeader("Link", TWO).headers().add("Vary", "Accept");
          ctx.response().headers().add("Vary", "Origin");
          ctx.response().end();
        });
    respond(
        "header taken away",
        ctx -> {
          ctx.response().headers().remove("X-Before");
          ctx.response().end("x");
        });
    respond("header changed", ctx -> ctx.response().putHeader("X-Default", "changed").end("x"));
    respond(
        "cookies",
        ctx -> {
          ctx.response().addCookie(Cookie.cookie("a", "1"));
          ctx.response().addCookie(Cookie.cookie("b", "2").setPath("/"));
          ctx.response().removeCookie("a");
          ctx.response().addCookie(Cookie.cookie("c", "3"));
          ctx.response().headers().add("Set-Cookie", "d=4").add("Set-Cookie", "e=5; Path=/");
          ctx.response().end("x");
        });
    respond(
        "early hints",
        ctx ->
            ctx.response()
                .writeEarlyHints(MultiMap.caseInsensitiveMultiMap().add("link", "<a>"))
                .onComplete(r -> ctx.response().end("x")));
  }

  private void failures() {
    respond(
        "throw",
        ctx -> {
          throw new IllegalStateException("thrown");
        });
    respond("fail with a status", ctx -> ctx.fail(409));
    respond("fail with an exception", ctx -> ctx.fail(new HttpException(402)));
    respond(
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
  }

  private void mistakes() {
    respond(
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
    respond("no route", RoutingContext::next);
    routes("wrong method", router -> router.delete("/x").handler(ctx -> ctx.end("x")));
    respond(
        "unframed write",
        ctx -> {
          ctx.response().write("a");
          ctx.response().end("b");
        });
  }
}
