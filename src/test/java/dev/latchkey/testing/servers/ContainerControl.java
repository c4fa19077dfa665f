package dev.latchkey.testing.servers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotModifiedException;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

/**
 * A server in a container, on a fixed port of the host so that it is found there again after a
 * restart. Testcontainers removes it when this JVM is killed.
 */
final class ContainerControl implements ServerControl {

  private final GenericContainer<?> container;
  private final int port;
  private final Runnable awaitReady;
  private boolean created;

  /**
   * Starts it.
   *
   * @param container not started yet
   * @param innerPort where the server listens inside
   * @param port the host's port for it
   * @param awaitReady returns when the server takes connections
   */
  ContainerControl(GenericContainer<?> container, int innerPort, int port, Runnable awaitReady) {
    this.container = container;
    this.port = port;
    this.awaitReady = awaitReady;
    container.setPortBindings(List.of(port + ":" + innerPort));
    start();
  }

  static boolean isAvailable() {
    return DockerClientFactory.instance().isDockerAvailable();
  }

  static String dockerHost() {
    return DockerClientFactory.instance().dockerHostIpAddress();
  }

  @Override
  public String kind() {
    return "container";
  }

  @Override
  public String host() {
    return dockerHost();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void start() {
    if (created) {
      docker().startContainerCmd(container.getContainerId()).exec();
    } else {
      container.start();
      created = true;
    }
    awaitReady.run();
  }

  @Override
  public void kill9() {
    if (isRunning()) {
      // One that is frozen takes no signal.
      if (Boolean.TRUE.equals(state().getPaused())) {
        resume();
      }
      docker().killContainerCmd(container.getContainerId()).withSignal("KILL").exec();
      docker().waitContainerCmd(container.getContainerId()).start().awaitStatusCode();
    }
  }

  @Override
  public void pause() {
    docker().pauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void resume() {
    docker().unpauseContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void stop() {
    try {
      docker().stopContainerCmd(container.getContainerId()).exec();
    } catch (NotModifiedException e) {
      // It had ended before.
    } catch (DockerException e) {
      throw new AssertionError("the container does not stop", e);
    }
  }

  @Override
  public void close() {
    container.stop();
  }

  private boolean isRunning() {
    return Boolean.TRUE.equals(state().getRunning());
  }

  private InspectContainerResponse.ContainerState state() {
    return docker().inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private static DockerClient docker() {
    return DockerClientFactory.instance().client();
  }
}
