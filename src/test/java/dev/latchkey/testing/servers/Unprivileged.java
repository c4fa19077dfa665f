package dev.latchkey.testing.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Postgres refuses to run as root. Root runs it in a user namespace of its own, or, where those are
 * not allowed, as the user {@code nobody}; anybody else runs it as himself.
 */
final class Unprivileged {

  private static final String NOBODY = "65534";
  private static final List<String> NAMESPACE = List.of("unshare", "--user");
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

  private static final List<String> PREFIX = choose();

  private Unprivileged() {}

  /** Returns what to put before a command. */
  static List<String> prefix() {
    return PREFIX;
  }

  /** Gives a directory to the user whom the commands run as. */
  static void own(Path directory) {
    if (PREFIX.equals(AS_NOBODY)) {
      ServerProcess.run(List.of("chown", "-R", NOBODY + ":" + NOBODY, directory.toString()));
    }
  }

  private static List<String> choose() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return List.of();
    }
    try {
      Process probe = new ProcessBuilder("unshare", "--user", "true").start();
      return probe.waitFor() == 0 ? NAMESPACE : AS_NOBODY;
    } catch (IOException e) {
      return AS_NOBODY;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
