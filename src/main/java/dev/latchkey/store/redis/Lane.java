package dev.latchkey.store.redis;

import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.redis.Call.Kind;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All connections of one event loop, one to each server, and the calls that are under way over
 * them. Bounded: a call too many fails at once. Confined to its loop but for {@link #submit} and
 * {@link #close}.
 */
final class Lane implements Link.Owner {

  private static final long TRY_AGAIN_MILLIS = 50;
  private static final long REFRESH_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often overdue calls are looked for. */
  static final int TICKS_PER_TIMEOUT = 8;

  private final ContextInternal context;
  private final RedisSettings settings;
  private final SlotMap slots;
  private final Outage outage;
  private final Map<RedisAddress, Link> links = new HashMap<>();
  private final AtomicInteger waitingCalls = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final List<Call> unrouted = new ArrayList<>();
  private Optional<Future<Void>> refreshing = Optional.empty();
  private long refreshedAtNanos = System.nanoTime() - REFRESH_PAUSE_NANOS;
  private boolean ticking;
  private boolean closed;

  Lane(ContextInternal context, RedisSettings settings, SlotMap slots, Outage outage) {
    this.context = context;
    this.settings = settings;
    this.slots = slots;
    this.outage = outage;
  }

  ContextInternal context() {
    return context;
  }

  /** Sends a call to whoever has its slot. On any thread. */
  Future<Optional<Response>> submit(Call call) {
    return admit(call, () -> route(call));
  }

  /** Sends a call to one server. On any thread. */
  Future<Optional<Response>> submit(Call call, RedisAddress to) {
    return admit(call, () -> link(to).send(call));
  }

  private Future<Optional<Response>> admit(Call call, Runnable send) {
    int calls = waitingCalls.incrementAndGet();
    long bytes = waitingBytes.addAndGet(call.bytes);
    call.future()
        .onComplete(
            ignored -> {
              waitingCalls.decrementAndGet();
              waitingBytes.addAndGet(-call.bytes);
            });
    if (calls > settings.maxWaitingCalls() || bytes > settings.maxWaitingBytes()) {
      call.fail(Outcome.NOT_DONE, "too many calls are under way");
    } else {
      start(call, send);
    }
    return call.future();
  }

  private void start(Call call, Runnable send) {
    if (context.inThread()) {
      begin(call, send);
    } else {
      context.runOnContext(ignored -> begin(call, send));
    }
  }

  private void begin(Call call, Runnable send) {
    if (closed) {
      call.fail(Outcome.NOT_DONE, "the store was closed");
      return;
    }
    send.run();
    if (!ticking) {
      tick();
    }
  }

  /** Looks for overdue calls now and then, for as long as there are any. */
  private void tick() {
    ticking = waitingCalls.get() > 0 && !closed;
    if (ticking) {
      long pauseMillis = Math.max(1, settings.callTimeoutMillis() / TICKS_PER_TIMEOUT);
      context.setTimer(pauseMillis, ignored -> failOverdue());
    }
  }

  private void failOverdue() {
    long nowNanos = System.nanoTime();
    for (Link link : List.copyOf(links.values())) {
      link.failOverdue(nowNanos);
    }
    Call.takeOverdue(unrouted, nowNanos)
        .forEach(it -> it.fail(Outcome.NOT_DONE, "no node of the cluster answered in time"));
    tick();
  }

  private void route(Call call) {
    Optional<RedisAddress> address = slots.addressOf(call.slot);
    if (address.isPresent()) {
      link(address.get()).send(call);
      return;
    }
    unrouted.add(call);
    refresh()
        .onComplete(
            ignored -> {
              if (!unrouted.remove(call)) {
                return;
              }
              Optional<RedisAddress> then = slots.addressOf(call.slot);
              if (then.isPresent()) {
                link(then.get()).send(call);
              } else {
                call.fail(Outcome.NOT_DONE, "no node of the cluster serves its slot");
              }
            });
  }

  private Link link(RedisAddress address) {
    return links.computeIfAbsent(
        address,
        it -> {
          String like = settings.options().getEndpoints().get(0);
          return new Link(it, it.endpointLike(like), context, settings, outage, this);
        });
  }

  /** Asks where the slots are: whoever has some, and everybody where none of these answers. */
  private Future<Void> refresh() {
    if (refreshing.isPresent()) {
      return refreshing.get();
    }
    refreshedAtNanos = System.nanoTime();
    Set<RedisAddress> masters = slots.masters();
    Future<Void> done =
        masters.isEmpty()
            ? askForSlots(slots.known())
            : askForSlots(masters).recover(none -> askForSlots(slots.known()));
    refreshing = Optional.of(done);
    done.onComplete(
        ignored -> {
          refreshing = Optional.empty();
          forgetStrangers();
        });
    return done;
  }

  /** Ends with the first answer, or with the last failure. */
  private Future<Void> askForSlots(Set<RedisAddress> servers) {
    long deadlineNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis());
    List<Future<?>> asked = new ArrayList<>();
    for (RedisAddress address : servers) {
      Object[] words = {"SLOTS"};
      Call call =
          Call.of("cluster slots", Kind.READS, "CLUSTER", words, SlotMap.ANY, deadlineNanos);
      asked.add(
          submit(call, address)
              .onSuccess(answer -> answer.ifPresent(it -> slots.learn(it, address))));
    }
    return Future.any(asked).mapEmpty();
  }

  /** Finds out where the slots are. On any thread. */
  Future<Void> learnSlots() {
    return Future.future(done -> context.runOnContext(ignored -> refresh().onComplete(done)));
  }

  private void refreshSoon() {
    boolean lately = System.nanoTime() - refreshedAtNanos < REFRESH_PAUSE_NANOS;
    if (slots.isCluster() && !lately && !closed) {
      refresh();
    }
  }

  /** Drops connections to servers that have no slots, such as a dead one that was replaced. */
  private void forgetStrangers() {
    Set<RedisAddress> masters = slots.masters();
    if (masters.isEmpty()) {
      return;
    }
    links
        .values()
        .removeIf(
            link -> {
              boolean stranger = !masters.contains(link.address()) && link.isIdle();
              if (stranger) {
                link.close();
              }
              return stranger;
            });
  }

  @Override
  public void failed(Link link, Call call, String text) {
    ServerError error = ServerError.of(text);
    boolean again = !(error instanceof ServerError.Refused) && call.mayResend();
    if (error instanceof ServerError.Forbidden && call.isOptional()) {
      call.succeed(Optional.empty());
    } else if (error instanceof ServerError.NoScript && again) {
      call.sendWhole();
      resend(link, call);
    } else if (error instanceof ServerError.Moved moved && again) {
      RedisAddress there = named(moved.address(), link);
      slots.moved(moved.slot(), there);
      resend(link(there), call);
      refreshSoon();
    } else if (error instanceof ServerError.Ask ask && again) {
      call.sendAsking();
      resend(link(named(ask.address(), link)), call);
    } else if (error instanceof ServerError.TryAgain && again) {
      context.setTimer(TRY_AGAIN_MILLIS, ignored -> begin(call, () -> routeAgain(call)));
    } else {
      giveUp(link, call, error, text);
    }
  }

  private void routeAgain(Call call) {
    Optional<RedisAddress> address = slots.addressOf(call.slot);
    if (address.isPresent()) {
      resend(link(address.get()), call);
    } else {
      route(call);
    }
  }

  private static void resend(Link link, Call call) {
    link.sendLate(call, System.nanoTime());
  }

  private void giveUp(Link link, Call call, ServerError error, String text) {
    Outcome outcome = error instanceof ServerError.Broken ? Outcome.UNKNOWN : Outcome.NOT_DONE;
    String code = ServerError.code(error);
    outage.refused(link.address(), code, text);
    call.fail(outcome, new RefusedCall(code, text));
    if (code.equals("READONLY")) {
      // A master that became a replica: whoever answers to this name next may be the new one.
      link.demoted();
    }
    if (code.equals("CROSSSLOT")) {
      // A single address, of a cluster after all: from now on names are reserved by themselves.
      slots.becomesCluster();
    }
    if (code.equals("READONLY") || code.equals("CLUSTERDOWN")) {
      refreshSoon();
    }
  }

  private static RedisAddress named(String address, Link answered) {
    RedisAddress named = RedisAddress.parse(address);
    return named.host().isEmpty()
        ? new RedisAddress(answered.address().host(), named.port())
        : named;
  }

  @Override
  public void down(Link link) {
    refreshSoon();
  }

  /** Ends all connections. On any thread; idempotent. */
  Future<Void> close() {
    return Future.future(done -> context.runOnContext(ignored -> closeNow().onComplete(done)));
  }

  private Future<Void> closeNow() {
    closed = true;
    List<Future<Void>> gone = new ArrayList<>();
    for (Link link : List.copyOf(links.values())) {
      gone.add(link.close());
    }
    links.clear();
    unrouted.forEach(call -> call.fail(Outcome.NOT_DONE, "the store was closed"));
    unrouted.clear();
    return Future.join(gone).mapEmpty();
  }
}
