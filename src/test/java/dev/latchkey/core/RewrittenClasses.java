package dev.latchkey.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.BiFunction;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Loads another copy of the engine and its tests, with byte code changed on the way. The store SPI
 * is shared with the class loader of the test.
 */
final class RewrittenClasses extends ClassLoader {

  private static final String PACKAGE = RewrittenClasses.class.getPackageName() + ".";

  private final BiFunction<String, ClassVisitor, ClassVisitor> rewrite;

  /**
   * Makes a loader.
   *
   * @param rewrite gets the simple name of a class and the visitor that writes it
   */
  RewrittenClasses(BiFunction<String, ClassVisitor, ClassVisitor> rewrite) {
    super(RewrittenClasses.class.getClassLoader());
    this.rewrite = rewrite;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!isCopied(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private static boolean isCopied(String name) {
    return name.startsWith(PACKAGE)
        && name.indexOf('.', PACKAGE.length()) < 0
        && !name.startsWith(Interleavings.class.getName());
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      String simpleName = name.substring(PACKAGE.length());
      new ClassReader(file.readAllBytes()).accept(rewrite.apply(simpleName, writer), 0);
      byte[] bytes = writer.toByteArray();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
