package dev.latchkey.service;

import io.netty.buffer.ByteBuf;
import io.netty.util.internal.StringUtil;

/**
 * Follows the chunks of one body after the other, so that what Netty 4.2.12 refuses in a chunk's
 * extensions, although RFC 9112, section 7.1.1 has it, gets by: an unquoted value at the end of the
 * line, white space after one, and bytes above 127 in a quoted one. As nobody reads an extension,
 * such bytes are overwritten by some that Netty takes, one by one, and all other checks stay its
 * own. Confined to its event loop.
 */
final class ChunkLines {

  private static final int OUTSIDE = -1;
  private static final char FILLER = '-';

  /** Bytes until the next line that begins a chunk, or {@link #OUTSIDE} of such bodies. */
  private long toNextLine = OUTSIDE;

  private boolean last;

  /** Whether a chunk or the line before it is being read. */
  boolean isWithin() {
    return toNextLine != OUTSIDE;
  }

  /** Says that the next byte begins a chunk. */
  void begin() {
    toNextLine = 0;
    last = false;
  }

  /**
   * Looks at the bytes that are about to be read: the line that begins a chunk, once it is whole.
   */
  void before(ByteBuf buffer) {
    if (toNextLine > 0) {
      return;
    }
    int start = buffer.readerIndex();
    int end = buffer.indexOf(start, buffer.writerIndex(), (byte) '\n');
    if (end < 0) {
      return;
    }
    int extensions = buffer.indexOf(start, end, (byte) ';');
    if (extensions >= 0) {
      soften(buffer, extensions, end > start && buffer.getByte(end - 1) == '\r' ? end - 1 : end);
    }
    long size = size(buffer, start, end);
    last = size == 0;
    toNextLine = end + 1L - start + size + 2;
  }

  /** Says how many bytes were read since; none when a line was not whole. */
  void consumed(int bytes) {
    if (toNextLine > 0) {
      toNextLine = last && bytes > 0 ? OUTSIDE : toNextLine - bytes;
    }
  }

  /** What Netty takes for the size, where it does not refuse the line. */
  private static long size(ByteBuf buffer, int start, int end) {
    int at = start;
    while (at < end && Character.isWhitespace(buffer.getByte(at))) {
      at++;
    }
    long size = 0;
    int digit = at < end ? StringUtil.decodeHexNibble(buffer.getByte(at)) : -1;
    while (digit >= 0 && size <= Integer.MAX_VALUE) {
      size = size * 16 + digit;
      at++;
      digit = at < end ? StringUtil.decodeHexNibble(buffer.getByte(at)) : -1;
    }
    return size;
  }

  /** Makes names with their unquoted values one longer name each. */
  private static void soften(ByteBuf buffer, int from, int end) {
    boolean quoted = false;
    boolean valued = false;
    for (int i = from; i < end; i++) {
      byte b = buffer.getByte(i);
      if (quoted && b < 0) {
        buffer.setByte(i, FILLER);
      } else if (quoted && b == '\\') {
        i++;
        if (i < end && buffer.getByte(i) < 0) {
          buffer.setByte(i, FILLER);
        }
      } else if (b == '"') {
        quoted = !quoted;
      } else if (!quoted && b == ';') {
        valued = false;
      } else if (!quoted && b == '=' && !valued) {
        valued = true;
        if (isUnquotedValue(buffer, i + 1, end)) {
          buffer.setByte(i, FILLER);
        }
      }
    }
  }

  private static boolean isUnquotedValue(ByteBuf buffer, int from, int end) {
    int at = from;
    while (at < end && (buffer.getByte(at) == ' ' || buffer.getByte(at) == '\t')) {
      at++;
    }
    return at < end && "\";=".indexOf(buffer.getByte(at)) < 0;
  }
}
