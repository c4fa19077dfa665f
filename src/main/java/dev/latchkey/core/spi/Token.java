package dev.latchkey.core.spi;

import java.util.HexFormat;

/**
 * The fencing token of one claim: 128 random bits made by the node. Every later call is a
 * compare-and-set on it. It is never a store sequence, since a crashed store can issue the same
 * number twice.
 *
 * @param high upper 64 bits
 * @param low lower 64 bits
 */
public record Token(long high, long low) {

  /**
   * Parses the result of {@link #toString()}.
   *
   * @param hex 32 hexadecimal digits
   * @return the token
   * @throws IllegalArgumentException if the text is anything else
   */
  public static Token parse(String hex) {
    if (hex.length() != 32) {
      throw new IllegalArgumentException("a token has 32 hexadecimal digits, not " + hex.length());
    }
    return new Token(
        HexFormat.fromHexDigitsToLong(hex, 0, 16), HexFormat.fromHexDigitsToLong(hex, 16, 32));
  }

  /** Returns the token as 32 lower-case hexadecimal digits. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
