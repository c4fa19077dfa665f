package dev.latchkey.testing.servers;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** One connection through a {@link CuttingProxy}, with a thread for each way. */
final class ProxyConnection {

  private static final int PIECE_BYTES = 16 * 1024;
  private static final int CANCEL_REQUEST = 80877102;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  private final CuttingProxy proxy;
  private final Socket client;
  private final Socket server;
  private final PgDialogue dialogue = new PgDialogue();
  private final Set<Direction> silent = EnumSet.noneOf(Direction.class);
  private final AtomicInteger ends = new AtomicInteger();
  private volatile boolean cut;

  ProxyConnection(CuttingProxy proxy, Socket client, Socket server) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
  }

  void start(boolean postgres) {
    if (postgres) {
      // One thread reads the beginning, in which the two sides take turns.
      CuttingProxy.daemon(this::startPostgres);
    } else {
      CuttingProxy.daemon(() -> pump(Direction.TO_SERVER, this::copy));
      CuttingProxy.daemon(() -> pump(Direction.TO_CLIENT, this::copy));
    }
  }

  /** Both sides see a reset. */
  void reset() {
    for (Socket socket : new Socket[] {client, server}) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException e) {
        // It is closed, which is all that is wanted.
      }
      CuttingProxy.close(socket);
    }
  }

  private interface Copying {
    void copy(Direction direction, InputStream from, OutputStream to) throws IOException;
  }

  private void pump(Direction direction, Copying copying) {
    try {
      copying.copy(direction, source(direction).getInputStream(), sink(direction));
      // Where bytes are lost, so is the news that a side has gone.
      if (!isLost(direction)) {
        sinkSocket(direction).shutdownOutput();
      }
    } catch (IOException e) {
      if (!cut && !isLost(direction)) {
        reset();
      }
    } finally {
      if (ends.incrementAndGet() == Direction.values().length) {
        CuttingProxy.close(client);
        CuttingProxy.close(server);
        proxy.ended(this);
      }
    }
  }

  private void copy(Direction direction, InputStream from, OutputStream to) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    for (int count = from.read(piece); count >= 0; count = from.read(piece)) {
      if (!isLost(direction)) {
        delay(direction);
        to.write(piece, 0, count);
      }
    }
  }

  /** The beginning has messages without a type, and responses without a length. */
  private void startPostgres() {
    boolean opaque = false;
    try {
      DataInputStream from = new DataInputStream(source(Direction.TO_SERVER).getInputStream());
      DataOutputStream to = new DataOutputStream(sink(Direction.TO_SERVER));
      int code;
      do {
        int length = from.readInt();
        byte[] body = from.readNBytes(length - Integer.BYTES);
        code = code(body);
        forward(dialogue(Direction.TO_SERVER, (char) 0, body), to);
        if (code == SSL_REQUEST || code == GSS_REQUEST) {
          int response = server.getInputStream().read();
          if (response < 0) {
            throw new EOFException("the server hung up");
          }
          sink(Direction.TO_CLIENT).write(response);
          opaque = response != 'N';
        }
      } while (!opaque && (code == SSL_REQUEST || code == GSS_REQUEST));
      opaque |= code == CANCEL_REQUEST;
    } catch (IOException e) {
      reset();
    }
    Copying copying = opaque ? this::copy : this::copyMessages;
    CuttingProxy.daemon(() -> pump(Direction.TO_SERVER, copying));
    pump(Direction.TO_CLIENT, copying);
  }

  private void copyMessages(Direction direction, InputStream from, OutputStream to)
      throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(from);
    DataInputStream in = new DataInputStream(buffered);
    DataOutputStream out = new DataOutputStream(to);
    for (int type = in.read(); type >= 0; type = in.read()) {
      int length = in.readInt();
      byte[] body = in.readNBytes(length - Integer.BYTES);
      forward(dialogue(direction, (char) type, body), out);
    }
  }

  private PgMessage dialogue(Direction direction, char type, byte[] body) {
    synchronized (dialogue) {
      return dialogue.note(direction, type, body);
    }
  }

  private void forward(PgMessage message, DataOutputStream to) throws IOException {
    // Asked first: whoever sees the message in the trace may end the swallowing.
    boolean lost = cut || isLost(message.direction());
    Optional<ProxyRule> rule = cut ? Optional.empty() : proxy.note(message);
    Optional<CuttingProxy.Action> action = rule.map(ProxyRule::action);
    action.ifPresent(this::stop);
    boolean isLast = action.isPresent() && action.get().lastArrives();
    if (isLast ? !lost : !cut && !isLost(message.direction())) {
      delay(message.direction());
      write(message, to);
    }
    if (isLast && cut) {
      endStreams();
    }
    rule.ifPresent(due -> due.happened().complete(message));
  }

  /** Before the last message is written, or its response could be back before all others stop. */
  private void stop(CuttingProxy.Action action) {
    switch (action) {
      case CUT_BEFORE -> endStreams();
      case CUT_AFTER -> cut = true;
      case SILENCE_BEFORE, SILENCE_AFTER -> silence();
    }
  }

  private static void write(PgMessage message, DataOutputStream to) throws IOException {
    // In one write: a message in two packets would be two pieces to whoever counts them.
    byte[] body = message.body();
    int header = message.type() == 0 ? Integer.BYTES : Integer.BYTES + 1;
    ByteBuffer bytes = ByteBuffer.allocate(header + body.length);
    if (message.type() != 0) {
      bytes.put((byte) message.type());
    }
    to.write(bytes.putInt(body.length + Integer.BYTES).put(body).array());
  }

  /**
   * Ends both streams in good order and goes on reading: closing a socket with unread bytes would
   * reset it, and the reset could overtake what was written before.
   */
  private void endStreams() {
    cut = true;
    for (Socket socket : new Socket[] {client, server}) {
      try {
        socket.shutdownOutput();
      } catch (IOException e) {
        // It is gone already.
      }
    }
  }

  /** Nothing arrives any more, in either direction. */
  void silence() {
    synchronized (silent) {
      silent.addAll(EnumSet.allOf(Direction.class));
    }
  }

  private boolean isLost(Direction direction) {
    synchronized (silent) {
      if (proxy.isSwallowed(direction)) {
        silent.add(direction);
      }
      return silent.contains(direction);
    }
  }

  private void delay(Direction direction) {
    long until = System.nanoTime() + proxy.delay(direction).toNanos();
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(1)));
    }
  }

  private static int code(byte[] body) {
    return body.length < Integer.BYTES ? 0 : ByteBuffer.wrap(body).getInt();
  }

  private Socket source(Direction direction) {
    return direction == Direction.TO_SERVER ? client : server;
  }

  private Socket sinkSocket(Direction direction) {
    return direction == Direction.TO_SERVER ? server : client;
  }

  private OutputStream sink(Direction direction) throws IOException {
    return sinkSocket(direction).getOutputStream();
  }
}
