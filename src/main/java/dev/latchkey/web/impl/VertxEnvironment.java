package dev.latchkey.web.impl;

import dev.latchkey.core.EntryEvent;
import dev.latchkey.core.Environment;
import dev.latchkey.core.EventLoop;
import dev.latchkey.core.spi.Token;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.security.SecureRandom;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The engine's environment in a running process. The event bus carries events by reference, within
 * this process only. The node's timers have a context of their own and outlive any verticle.
 */
final class VertxEnvironment implements Environment {

  /** One generator per thread, seeded with 384 random bits, so it needs no lock. */
  private static final ThreadLocal<RandomGenerator> RANDOM =
      ThreadLocal.withInitial(
          () ->
              RandomGeneratorFactory.of("L128X256MixRandom")
                  .create(new SecureRandom().generateSeed(48)));

  private final VertxInternal vertx;
  private final ContextInternal context;
  private final String address = "dev.latchkey.events." + UUID.randomUUID();
  private final DeliveryOptions byReference;
  private final Set<MessageConsumer<EntryEvent>> consumers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  VertxEnvironment(Vertx vertx) {
    this.vertx = (VertxInternal) vertx;
    context = this.vertx.createEventLoopContext();
    byReference = new DeliveryOptions().setLocalOnly(true).setCodecName(address);
    vertx.eventBus().registerCodec(new ByReference(address));
  }

  /** Receives events on the current context until this is closed. */
  void subscribe(Handler<EntryEvent> handler) {
    MessageConsumer<EntryEvent> consumer = vertx.eventBus().localConsumer(address);
    consumers.add(consumer);
    consumer.endHandler(v -> consumers.remove(consumer));
    consumer.handler(message -> handler.handle(message.body()));
    if (closed) {
      consumer.unregister();
    }
  }

  /** Stops carrying events and running timers, including those already set. */
  void close() {
    closed = true;
    consumers.forEach(MessageConsumer::unregister);
    vertx.eventBus().unregisterCodec(address);
  }

  @Override
  public long nowNanos() {
    return System.nanoTime();
  }

  @Override
  public Timer after(long delayMillis, Runnable task) {
    if (closed) {
      return Timer.NONE;
    }
    long id =
        context.setTimer(
            delayMillis,
            ignored -> {
              if (!closed) {
                task.run();
              }
            });
    return () -> vertx.cancelTimer(id);
  }

  @Override
  public void publish(EntryEvent event) {
    if (!closed) {
      vertx.eventBus().publish(address, event, byReference);
    }
  }

  @Override
  public Token newToken() {
    RandomGenerator random = RANDOM.get();
    return new Token(random.nextLong(), random.nextLong());
  }

  /** The root context of a verticle or server, as the event loop of its requests. */
  record RootContext(ContextInternal context) implements EventLoop {
    @Override
    public void run(Runnable task) {
      context.emit(ignored -> task.run());
    }

    @Override
    public void later(Runnable task) {
      context.runOnContext(ignored -> task.run());
    }

    @Override
    public Timer after(long delayMillis, Runnable task) {
      long id = context.setTimer(delayMillis, ignored -> task.run());
      return () -> context.owner().cancelTimer(id);
    }
  }

  private record ByReference(String name) implements MessageCodec<EntryEvent, EntryEvent> {
    @Override
    public void encodeToWire(Buffer buffer, EntryEvent event) {
      throw new IllegalStateException("a node's events stay in its process");
    }

    @Override
    public EntryEvent decodeFromWire(int position, Buffer buffer) {
      throw new IllegalStateException("a node's events stay in its process");
    }

    @Override
    public EntryEvent transform(EntryEvent event) {
      return event;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}
