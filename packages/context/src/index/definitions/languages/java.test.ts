import { expect, test } from 'vitest';
import { outline } from '../outline.fixture.ts';

test('types in types, methods and constants are found, and anonymous classes are stepped over', () => {
  const text = `
package com.example;

import java.util.List;

/** Docs with { brace. */
@Service(name = "x", values = {"a", "b"})
public final class Cache<K extends Comparable<K>, V> extends Base<K> implements Closeable {
  public static final int MAX_SIZE = 10;
  private static final Map<String, Integer> TABLE = new HashMap<>() {{
    put("a", 1);
  }};
  private final List<V> values = new ArrayList<>();

  static {
    System.loadLibrary("x");
  }

  public Cache(int size) {
    this.size = size;
  }

  @Override
  @SuppressWarnings({"unchecked"})
  public <T> Map<String, List<T>> get(
      K key, Function<? super K, T> loader) throws IOException {
    if (key == null) {
      return null;
    }
    Runnable r = new Runnable() {
      public void run() {}
    };
    return "}" + '}';
  }

  protected abstract void evict();

  interface Loader<T> {
    T load(String key);
    default void close() {}
  }

  enum Mode {
    FAST(1) {
      @Override int cost() { return 1; }
    },
    SLOW(2);

    private final int cost;

    Mode(int cost) {
      this.cost = cost;
    }

    int cost() {
      return cost;
    }
  }

  record Point(int x, int y) {
    double length() {
      return Math.sqrt(x * x + y * y);
    }
  }

  @interface Marker {
    String value() default "";
  }
}
`;

  expect(outline('Cache.java', text)).toEqual([
    '7-68 class Cache',
    '8-8 constant Cache > MAX_SIZE',
    '9-11 constant Cache > TABLE',
    '18-20 method Cache > Cache',
    '24-33 method Cache > get',
    '35-35 method Cache > evict',
    '37-40 interface Cache > Loader',
    '38-38 method Loader > load',
    '39-39 method Loader > close',
    '42-57 enum Cache > Mode',
    '50-52 method Mode > Mode',
    '54-56 method Mode > cost',
    '59-63 class Cache > Point',
    '60-62 method Point > length',
    '65-67 interface Cache > Marker',
    '66-66 method Marker > value',
  ]);
});
