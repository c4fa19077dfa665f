package dev.latchkey.service;

import static dev.latchkey.service.WholeService.GLOBEX;
import static dev.latchkey.service.WholeService.header;
import static dev.latchkey.service.WholeService.json;
import static dev.latchkey.service.WholeService.segment;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CustomersHttpTest {

  private final WholeService service = new WholeService();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  void customerIsCreatedReadAndReplaced() throws Exception {
    HttpResponse<String> made = put("c-1", "{'name':'Ann','email':'ann@example.org'}");

    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(header(made, "ETag")).isEqualTo("\"1\"");
    assertThat(json(made).fieldNames())
        .containsExactly("id", "object", "name", "email", "created_at", "updated_at", "version");
    assertThat(json(made).getString("object")).isEqualTo("customer");
    assertThat(json(made).getString("id")).isEqualTo("c-1");
    assertThat(json(made).getString("created_at"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    HttpResponse<String> read = service.get("/v1/customers/c-1");
    assertThat(read.statusCode()).isEqualTo(200);
    assertThat(header(read, "ETag")).isEqualTo("\"1\"");
    assertThat(read.body()).isEqualTo(made.body());

    HttpResponse<String> replaced = put("c-1", "{'email':null,'name':'Bea'}");

    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(header(replaced, "ETag")).isEqualTo("\"2\"");
    assertThat(json(replaced).getString("name")).isEqualTo("Bea");
    assertThat(json(replaced).getValue("email")).as("what is left out is gone").isNull();
    assertThat(put("c-1", "{'name':'Bea'}").body()).isEqualTo(replaced.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "..", "a/b", "/", "100%", "%2F", "a b+c?d#e", "\u00e4\ud83d\ude00"})
  void idMayContainAnyCharacter(String id) throws Exception {
    assertThat(put(segment(id), "{'name':'x'}").statusCode()).isEqualTo(201);

    HttpResponse<String> read = service.get("/v1/customers/" + segment(id));
    assertThat(json(read).getString("id")).isEqualTo(id);
    assertThat(service.get("/v1/customers/other").statusCode()).isEqualTo(404);
  }

  @Test
  void anIdIsAtMost255CharactersOfText() throws Exception {
    String longest = segment("\u00e4".repeat(255));
    assertThat(put(longest, "{}").statusCode()).isEqualTo(201);

    for (String bad : new String[] {longest + "x", "a%00b", "%C3%28"}) {
      assertProblem(put(bad, "{}"), 400, "invalid-request");
      assertProblem(service.get("/v1/customers/" + bad), 404, "not-found");
    }
    assertProblem(put("", "{}"), 404, "not-found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'phone':'1'}          | /phone",
        "{'name':1}             | /name",
        "{'email':['a']}        | /email",
        "[]                     | ``",
        "``                     | ``",
        "{                      | ``"
      })
  void invalidBodiesAreRejected(String body, String pointer) throws Exception {
    HttpResponse<String> response = put("c", body);

    assertProblem(response, 400, "invalid-request");
    assertThat(json(response).getJsonArray("errors").getJsonObject(0).getString("pointer"))
        .isEqualTo(pointer);
    assertThat(service.get("/v1/customers/c").statusCode()).isEqualTo(404);
  }

  @Test
  void namesAndAddressesAreBounded() throws Exception {
    String name = "n".repeat(255);
    String email = "e".repeat(320);
    String full = "{'name':'%s','email':'%s'}";
    assertThat(put("c", full.formatted(name, email)).statusCode()).isEqualTo(201);
    assertProblem(put("c", full.formatted(name + "n", email)), 400, "invalid-request");
    assertProblem(put("c", full.formatted(name, email + "e")), 400, "invalid-request");
  }

  @Test
  void preconditionsAreChecked() throws Exception {
    assertProblem(put("c", "{}", "If-Match", "*"), 412, "precondition-failed");
    assertThat(put("c", "{}", "If-None-Match", "*").statusCode()).isEqualTo(201);
    assertProblem(put("c", "{'name':'a'}", "If-None-Match", "*"), 412, "precondition-failed");
    assertThat(put("c", "{'name':'a'}", "If-Match", "\"1\"").statusCode()).isEqualTo(200);
    assertProblem(put("c", "{'name':'b'}", "If-Match", "\"1\""), 412, "precondition-failed");
    assertProblem(put("c", "{'name':'b'}", "If-Match", "W/\"2\""), 412, "precondition-failed");
    assertProblem(put("c", "{'name':'b'}", "If-Match", "2"), 400, "invalid-request");
    assertThat(put("c", "{'name':'b'}", "If-Match", "\"9\", \"2\"").statusCode()).isEqualTo(200);
    assertThat(json(service.get("/v1/customers/c")).getLong("version")).isEqualTo(3);
  }

  @Test
  void currentVersionIsNotSentAgain() throws Exception {
    put("c", "{}");

    for (String tags : new String[] {"\"1\"", "W/\"1\"", "*", "\"x\", W/\"1\""}) {
      HttpResponse<String> same = service.get("/v1/customers/c", "If-None-Match", tags);
      assertThat(same.statusCode()).isEqualTo(304);
      assertThat(header(same, "ETag")).isEqualTo("\"1\"");
      assertThat(same.body()).isEmpty();
      assertThat(same.headers().firstValue("Content-Type")).isEmpty();
    }
    assertThat(service.get("/v1/customers/c", "If-None-Match", "\"2\"").statusCode())
        .isEqualTo(200);
    assertThat(service.get("/v1/customers/d", "If-None-Match", "*").statusCode()).isEqualTo(404);
    assertProblem(service.get("/v1/customers/c", "If-Match", "\"2\""), 412, "precondition-failed");
  }

  @Test
  void tenantsDoNotSeeEachOther() throws Exception {
    put("c", "{'name':'acme'}");

    assertThat(service.sendAs(GLOBEX, "GET", "/v1/customers/c", null).statusCode()).isEqualTo(404);
    assertThat(service.sendAs(GLOBEX, "PUT", "/v1/customers/c", "{'name':'globex'}").statusCode())
        .isEqualTo(201);
    assertThat(json(service.get("/v1/customers/c")).getString("name")).isEqualTo("acme");
    assertThat(service.sendAs("nobody", "GET", "/v1/customers/%2E%2E", null).statusCode())
        .isEqualTo(401);
  }

  @Test
  void ofAnyNumberAtATimeOneIsTold201() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> racing = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      racing.add(service.begin("PUT", "/v1/customers/raced", "{'name':'n" + i + "'}"));
    }
    List<Integer> statuses = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> one : racing) {
      statuses.add(one.join().statusCode());
    }

    assertThat(statuses).containsOnly(200, 201).containsOnlyOnce(201);
    assertThat(json(service.get("/v1/customers/raced")).getLong("version")).isEqualTo(40);
  }

  @Test
  void otherMethodsAndQueriesAreRejected() throws Exception {
    for (String id : new String[] {"c", "%2E%2E", "c/"}) {
      HttpResponse<String> post = service.send("POST", "/v1/customers/" + id, "{}");
      assertProblem(post, 405, "method-not-allowed");
      assertThat(header(post, "Allow")).isEqualTo("GET, HEAD, PUT");
    }
    assertProblem(put("c?x=1", "{}"), 400, "invalid-request");
    assertProblem(service.get("/v1/customers/c?x=1"), 400, "invalid-request");
    assertProblem(
        service.send("PUT", "/v1/customers/c", null, "Content-Type", "text/plain"),
        400,
        "invalid-request");
    assertProblem(service.get("/v1/customers/a/b"), 404, "not-found");
    assertProblem(service.get("/v1/customers"), 404, "not-found");
  }

  @Test
  void fullMemoryIsReportedAsOverloaded() throws Exception {
    service.budget.add(1 << 30);

    HttpResponse<String> response = put("c", "{}");

    assertProblem(response, 503, "overloaded");
    assertThat(header(response, "Retry-After")).isEqualTo("1");
  }

  private HttpResponse<String> put(String segment, String body, String... headers)
      throws Exception {
    return service.send("PUT", "/v1/customers/" + segment, body, headers);
  }

  private static void assertProblem(HttpResponse<String> response, int status, String name) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    JsonObject problem = json(response);
    assertThat(problem.getString("type")).isEqualTo("/problems/" + name);
  }
}
