package dev.latchkey.service.http;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Accepted secrets and their tenants. Keeps hashes only. A tenant may have several secrets; a
 * secret belongs to one tenant. Safe for any thread.
 */
public final class ApiKeys {

  private static final int MAX_TENANT_CHARS = 255;
  private static final int MIN_SECRET_CHARS = 16;

  private final Optional<Path> file;
  private volatile List<Entry> entries;

  private record Entry(String tenant, Buffer secretSha256) {}

  private ApiKeys(Optional<Path> file, List<Entry> entries) {
    this.file = file;
    this.entries = entries;
  }

  /**
   * Parses {@code tenant:secret,tenant:secret}, or {@code @file} with the same list, separated by
   * commas or line breaks.
   *
   * @param spec the list, or {@code @} and a file
   * @return the keys, at least one
   * @throws IllegalArgumentException if it is not such a list; the message contains no secret
   */
  public static ApiKeys parse(String spec) {
    if (!spec.startsWith("@")) {
      return new ApiKeys(Optional.empty(), entries(spec));
    }
    try {
      Path file = Path.of(spec.substring(1));
      return new ApiKeys(Optional.of(file), entries(content(file)));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("its file cannot be read", e);
    }
  }

  /**
   * Reads the file again if the keys came from one. Blocking.
   *
   * @throws IllegalArgumentException if it is invalid; the keys in use remain
   */
  public void reload() {
    file.ifPresent(path -> entries = entries(content(path)));
  }

  private static List<Entry> entries(String list) {
    List<Entry> entries = new ArrayList<>();
    int position = 0;
    for (String item : list.split("[,\\r\\n]", -1)) {
      String text = item.strip();
      if (text.isEmpty()) {
        continue;
      }
      position++;
      Entry entry = entry(text, position);
      if (find(entries, entry.secretSha256).filter(t -> !t.equals(entry.tenant)).isPresent()) {
        throw new IllegalArgumentException(
            "entry " + position + " has the secret of another tenant");
      }
      entries.add(entry);
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("it contains no tenant:secret");
    }
    return List.copyOf(entries);
  }

  /**
   * Returns the tenant of a secret, in constant time.
   *
   * @param secret what the caller sent
   * @return the tenant, empty for an unknown secret
   */
  public Optional<String> tenantOf(String secret) {
    return find(entries, sha256(secret));
  }

  /** Contains no secret. */
  @Override
  public String toString() {
    return entries.size() + " api keys";
  }

  private static Optional<String> find(List<Entry> entries, Buffer secretSha256) {
    Optional<String> found = Optional.empty();
    for (Entry entry : entries) {
      if (MessageDigest.isEqual(entry.secretSha256.getBytes(), secretSha256.getBytes())) {
        found = Optional.of(entry.tenant);
      }
    }
    return found;
  }

  private static Entry entry(String text, int position) {
    int colon = text.indexOf(':');
    if (colon < 1 || colon > MAX_TENANT_CHARS || text.length() - colon - 1 < MIN_SECRET_CHARS) {
      throw new IllegalArgumentException(
          "entry "
              + position
              + " is not tenant:secret, a tenant of 1 to 255 characters and a secret of at least 16");
    }
    return new Entry(text.substring(0, colon), sha256(text.substring(colon + 1)));
  }

  private static String content(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) { // without the path: a secret that begins with @ would show
      throw new IllegalArgumentException(
          "its file cannot be read (" + e.getClass().getSimpleName() + ")", e);
    }
  }

  private static Buffer sha256(String text) {
    try {
      return Buffer.buffer(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
