package dev.latchkey.web.fingerprint;

/**
 * What a thread needs to make a fingerprint, kept from one to the next. Between {@link #begin} and
 * the last use nobody else's code may be called, since it might begin as well.
 */
final class Workspace {

  private static final ThreadLocal<Workspace> OF_THREAD = ThreadLocal.withInitial(Workspace::new);

  final ByteSink sink = new ByteSink(512);
  final Sha256 sha256 = new Sha256();
  final PlainJson plain = new PlainJson();
  final SketchWriter sketches = new SketchWriter(sha256);

  private Workspace() {}

  /** The one of this thread, with nothing left in it, also where the last use broke off. */
  static Workspace begin() {
    Workspace workspace = OF_THREAD.get();
    workspace.sink.clear();
    workspace.sha256.clear();
    return workspace;
  }
}
