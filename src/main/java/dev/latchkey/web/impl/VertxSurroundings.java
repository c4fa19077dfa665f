package dev.latchkey.web.impl;

import dev.latchkey.core.EntryEvent;
import dev.latchkey.core.Environment;
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
 * The control flow's world in a running process: the event bus carries the news, by reference and
 * never out of this process; the node's own timers run on a context of its own, so that they
 * outlive any verticle.
 */
final class VertxSurroundings implements Environment {

  /** One generator a thread, each with 384 bits of seed: no lock, and no two nodes alike. */
  private static final ThreadLocal<RandomGenerator> RANDOM =
      ThreadLocal.withInitial(
          () ->
              RandomGeneratorFactory.of("L128X256MixRandom")
                  .create(new SecureRandom().generateSeed(48)));

  private final VertxInternal vertx;
  private final ContextInternal context;
  private final String address = "dev.latchkey.news." + UUID.randomUUID();
  private final DeliveryOptions byReference;
  private final Set<MessageConsumer<EntryEvent>> consumers = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  VertxSurroundings(Vertx vertx) {
    this.vertx = (VertxInternal) vertx;
    context = this.vertx.createEventLoopContext();
    byReference = new DeliveryOptions().setLocalOnly(true).setCodecName(address);
    vertx.eventBus().registerCodec(new ByReference(address));
  }

  /** Hears the news on the current context from now on, until this is closed. */
  void hear(Handler<EntryEvent> handler) {
    MessageConsumer<EntryEvent> consumer = vertx.eventBus().localConsumer(address);
    consumers.add(consumer);
    consumer.endHandler(v -> consumers.remove(consumer));
    consumer.handler(message -> handler.handle(message.body()));
    if (closed) {
      consumer.unregister();
    }
  }

  /** Carries no more news and runs no more timers, also none that are set already. */
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
  public void publish(EntryEvent news) {
    if (!closed) {
      vertx.eventBus().publish(address, news, byReference);
    }
  }

  @Override
  public Token newToken() {
    RandomGenerator random = RANDOM.get();
    return new Token(random.nextLong(), random.nextLong());
  }

  private record ByReference(String name) implements MessageCodec<EntryEvent, EntryEvent> {
    @Override
    public void encodeToWire(Buffer buffer, EntryEvent news) {
      throw new IllegalStateException("news of a node do not leave its process");
    }

    @Override
    public EntryEvent decodeFromWire(int position, Buffer buffer) {
      throw new IllegalStateException("news of a node do not come from outside");
    }

    @Override
    public EntryEvent transform(EntryEvent news) {
      return news;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}
