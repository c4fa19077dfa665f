package dev.latchkey.http;

import dev.latchkey.service.InProcessService;
import dev.latchkey.store.CountingStore;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;

/**
 * One running node of the service, and a client for it.
 *
 * @param service the node
 * @param store what stands between it and its records
 * @param psp what stands between it and the PSP
 * @param clients what the client runs on
 * @param client sends to it
 * @param sabotage what was broken on purpose
 */
record Node(
    InProcessService service,
    CountingStore store,
    HeldPsp psp,
    Vertx clients,
    HttpClient client,
    Sabotage sabotage) {

  int port() {
    return service.server().port();
  }

  Call post(String path) {
    return new Call(clients, client, port(), HttpMethod.POST, path, sabotage);
  }

  Call get(String path) {
    return new Call(clients, client, port(), HttpMethod.GET, path, sabotage);
  }

  /** A payment that succeeds at once, without a key as yet. */
  Call pay() {
    return post("/v1/payments").json(Call.VISA);
  }

  int parked() {
    return service.parts().node().parked();
  }

  int running() {
    return service.parts().node().running();
  }

  void awaitParked(int count) {
    Await.until(count + " requests are parked", () -> parked() == count, sabotage.patienceMillis());
  }

  /** Waits until the store was asked for something so often. */
  void awaitCalls(StoreOperation operation, int count) {
    Await.until(
        count + " calls of " + operation,
        () -> store.calls(operation) >= count,
        sabotage.patienceMillis());
  }

  /** Waits until nothing runs and nobody waits. */
  void awaitIdle() {
    Await.until(
        "the node is idle", () -> parked() == 0 && running() == 0, sabotage.patienceMillis());
  }

  /** From now on the store does not answer, nor hears what this node says. */
  void cutOff() {
    store.plan((operation, number) -> StoreFault.SILENT_BEFORE);
  }

  /** From now on the store refuses everything. */
  void storeAway() {
    store.plan((operation, number) -> StoreFault.FAIL_BEFORE);
  }

  /** From now on one operation of the store takes effect, but its answer is lost. */
  void answersLost(StoreOperation lost) {
    store.plan((operation, number) -> operation == lost ? StoreFault.FAIL_AFTER : StoreFault.NONE);
  }

  /** How many requests came to an outcome, as {@code /metrics} has it. */
  long outcome(String outcome) {
    return metric("latchkey_requests_total{outcome=\"" + outcome + "\"}");
  }

  /** Reads one whole number from {@code /metrics}. */
  long metric(String name) {
    return get("/metrics")
        .send()
        .expect(200)
        .body()
        .toString()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
