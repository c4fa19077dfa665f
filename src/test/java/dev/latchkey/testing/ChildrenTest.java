package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A parent that is told to end leaves no child behind. */
class ChildrenTest {

  private static final long LIMIT_SECONDS = 60;

  /** The parent: has a child that does nothing, and says which. */
  static final class Parent {

    private Parent() {}

    public static void main(String[] args) throws Exception {
      Process child = Children.endingWithThisOne(new ProcessBuilder("sleep", "600").start());
      System.out.println(child.pid());
      child.waitFor();
    }
  }

  @Test
  void theyEndWithTheirParent() throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName())
            .start();
    Optional<ProcessHandle> child = Optional.empty();
    try {
      child = ProcessHandle.of(pid(parent));
      assertThat(child).isPresent();
      parent.destroy();
      assertThat(parent.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      child.get().onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } finally {
      parent.destroyForcibly();
      child.ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private static long pid(Process parent) throws IOException {
    try (BufferedReader out = parent.inputReader()) {
      return Long.parseLong(out.readLine());
    }
  }
}
