package dev.latchkey.packed;

/** What a packer has written, as bytes of its own. */
public final class Packed {

  private Packed() {}

  /** Returns a copy of what was written since the last time, and lets the packer begin anew. */
  public static byte[] takenFrom(Packer packer) {
    byte[] taken = new byte[packer.size()];
    packer.copyTo(taken, 0);
    packer.clear();
    return taken;
  }
}
