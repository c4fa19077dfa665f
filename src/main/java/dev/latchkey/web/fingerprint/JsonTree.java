package dev.latchkey.web.fingerprint;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * A JSON document whose values are kept as canonical text in the order of their arrival, with links
 * that say in which order to write them. All links live in one int array and nothing recurses, so
 * that neither depth nor number of values costs more than their share. Used by one thread.
 */
final class JsonTree {

  private static final int NONE = -1;
  private static final int NAME_START = 0;
  private static final int VALUE_START = 1;
  private static final int END = 2;
  private static final int FIRST = 3;
  private static final int LAST = 4;
  private static final int NEXT = 5;
  private static final int PARENT = 6;
  private static final int FIELDS = 7;

  private final ByteSink text;
  private int[] nodes = new int[16 * FIELDS];
  private String[] names = new String[16];
  private int count;
  private int open = NONE;
  private String pendingName = "";
  private int pendingStart;

  JsonTree(int textCapacity) {
    text = new ByteSink(textCapacity);
  }

  /** Returns where the canonical text of names and scalars is appended before it is added. */
  ByteSink text() {
    return text;
  }

  /** Takes the text appended since {@code start} for the name of the next value. */
  void addName(String name, int start) {
    text.putByte(':');
    pendingName = name;
    pendingStart = start;
  }

  /** Takes the text appended since {@code start} for a scalar. */
  void addScalar(int start) {
    add(start);
  }

  /** Begins an array or an object; values added from now on are its own. */
  void open(char bracket) {
    int start = text.size();
    text.putByte(bracket);
    open = add(start);
  }

  /** Ends the innermost array. */
  void closeArray() {
    open = get(open, PARENT);
  }

  /**
   * Ends the innermost object and puts its members into the order of their names' UTF-16 code
   * units.
   *
   * @return a name that is there twice, if any
   */
  Optional<String> closeObject() {
    int object = open;
    open = get(object, PARENT);
    if (isSorted(object)) {
      return Optional.empty();
    }
    Integer[] members = members(object);
    Arrays.sort(members, Comparator.comparing(member -> names[member]));
    for (int i = 1; i < members.length; i++) {
      if (names[members[i - 1]].equals(names[members[i]])) {
        return Optional.of(names[members[i]]);
      }
      set(members[i - 1], NEXT, members[i]);
    }
    set(object, FIRST, members[0]);
    set(members[members.length - 1], NEXT, NONE);
    return Optional.empty();
  }

  /** Returns whether the whole document is one object. */
  boolean isObject() {
    return text.at(get(0, VALUE_START)) == '{';
  }

  /** Visits the members of the outermost value, in canonical order. */
  void forEachMember(IntConsumer visitor) {
    for (int member = get(0, FIRST); member != NONE; member = get(member, NEXT)) {
      visitor.accept(member);
    }
  }

  String name(int member) {
    return names[member];
  }

  /** Writes the whole document. */
  void write(ByteSink target) {
    writeValue(0, target);
  }

  /** Writes one value without its name. */
  void writeValue(int root, ByteSink target) {
    text.copyTo(target, get(root, VALUE_START), get(root, END));
    int node = root;
    while (true) {
      int first = get(node, FIRST);
      if (first != NONE) {
        node = first;
      } else {
        putClosingBracket(node, target);
        while (node != root && get(node, NEXT) == NONE) {
          node = get(node, PARENT);
          putClosingBracket(node, target);
        }
        if (node == root) {
          return;
        }
        node = get(node, NEXT);
        target.putByte(',');
      }
      text.copyTo(target, get(node, NAME_START), get(node, END));
    }
  }

  private void putClosingBracket(int node, ByteSink target) {
    byte bracket = text.at(get(node, VALUE_START));
    if (bracket == '{' || bracket == '[') {
      target.putByte(bracket == '{' ? '}' : ']');
    }
  }

  private int add(int valueStart) {
    int node = count++;
    reserve();
    boolean member = open != NONE && text.at(get(open, VALUE_START)) == '{';
    names[node] = member ? pendingName : "";
    set(node, NAME_START, member ? pendingStart : valueStart);
    set(node, VALUE_START, valueStart);
    set(node, END, text.size());
    set(node, FIRST, NONE);
    set(node, NEXT, NONE);
    set(node, PARENT, open);
    if (open != NONE) {
      if (get(open, FIRST) == NONE) {
        set(open, FIRST, node);
      } else {
        set(get(open, LAST), NEXT, node);
      }
      set(open, LAST, node);
    }
    return node;
  }

  private boolean isSorted(int object) {
    int previous = get(object, FIRST);
    if (previous == NONE) {
      return true;
    }
    for (int m = get(previous, NEXT); m != NONE; previous = m, m = get(m, NEXT)) {
      if (names[previous].compareTo(names[m]) >= 0) {
        return false;
      }
    }
    return true;
  }

  private Integer[] members(int object) {
    int size = 0;
    for (int m = get(object, FIRST); m != NONE; m = get(m, NEXT)) {
      size++;
    }
    Integer[] members = new Integer[size];
    int i = 0;
    for (int m = get(object, FIRST); m != NONE; m = get(m, NEXT)) {
      members[i++] = m;
    }
    return members;
  }

  private void reserve() {
    if (count > names.length) {
      names = Arrays.copyOf(names, 2 * names.length);
      nodes = Arrays.copyOf(nodes, names.length * FIELDS);
    }
  }

  private int get(int node, int field) {
    return nodes[node * FIELDS + field];
  }

  private void set(int node, int field, int value) {
    nodes[node * FIELDS + field] = value;
  }
}
