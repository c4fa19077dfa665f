package dev.latchkey.service.cli;

/** Finds the command and help flags in raw arguments. */
final class CommandWords {

  /** The command without a command name. */
  static final String DEFAULT_COMMAND = "serve";

  private CommandWords() {}

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
