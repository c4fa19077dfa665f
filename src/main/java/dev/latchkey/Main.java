package dev.latchkey;

/** Entry point of the fat jar. */
public final class Main {
  private Main() {}

  /**
   * Runs a command and exits with its code.
   *
   * @param args command and options
   */
  public static void main(String[] args) {
    System.out.println(args.length);
  }
}
