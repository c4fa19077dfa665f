package dev.latchkey.service;

/** What a command line asks for, as far as that shows before its options are understood. */
public final class CommandWords {

  /** What is run when no command is named. */
  static final String DEFAULT_COMMAND = "serve";

  private CommandWords() {}

  /**
   * Tells whether a command line that can be understood runs the service.
   *
   * @param args command and options
   * @return false also when it asks for help
   */
  public static boolean serves(String... args) {
    return withCommand(args)[0].equals(DEFAULT_COMMAND) && !asksForHelp(args);
  }

  static String[] withCommand(String[] args) {
    if (args.length > 0 && !args[0].startsWith("-")) {
      return args;
    }
    String[] all = new String[args.length + 1];
    all[0] = DEFAULT_COMMAND;
    System.arraycopy(args, 0, all, 1, args.length);
    return all;
  }

  static boolean asksForHelp(String[] args) {
    for (String arg : args) {
      if (arg.equals("-h") || arg.equals("--help")) {
        return true;
      }
    }
    return false;
  }
}
