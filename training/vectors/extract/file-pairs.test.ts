import { expect, test } from 'vitest';
import type { Language } from '../../../packages/context/src/index/definitions/language.ts';
import { filePairs } from './file-pairs.ts';

/** Kind, question and code of each pair, and the names that documentation may speak of. */
function read(path: string, language: Language, lines: readonly string[]): { pairs: string[][]; named: string[] } {
  const named: string[] = [];
  const pairs = filePairs(path, language, lines.join('\n'), (name) => named.push(name));
  return { pairs: pairs.map(({ kind, query, code }) => [kind, query.join(' '), code.join(' ')]), named };
}

test('TypeScript: a comment leads to its function, a name to its body, a line to what follows, the head to the outline', () => {
  const { pairs, named } = read('src/cache/lru-cache.ts', 'typescript', [
    '// Keeps the values that were asked for most recently.',
    '',
    "import { now } from './clock.ts';",
    '',
    '/**',
    ' * Drops the entry that was used least recently.',
    ' *',
    ' * @param limit how many may stay',
    ' */',
    'export function evictOldest(limit: number): void {',
    '  // Walk from the tail until enough room is free',
    '  while (entries.size > limit) {',
    '    const oldest = entries.keys().next().value;',
    '    entries.delete(oldest);',
    '  }',
    '}',
    '',
    'export function readThrough(key: string): string {',
    '  const value = entries.get(key) ?? load(key);',
    '  entries.set(key, value);',
    '  return value;',
    '}',
  ]);

  expect(pairs).toEqual([
    [
      'doc',
      'drops the entry that was used least recently',
      'cache lru cache export function evict oldest limit number void while entries size limit const oldest entries keys next value entries delete oldest',
    ],
    ['name', 'read through', 'cache lru cache const value entries get key load key entries set key value return value'],
    [
      'inline',
      'walk from the tail until enough room is free',
      'cache lru cache while entries size limit const oldest entries keys next value entries delete oldest',
    ],
    [
      'head',
      'keeps the values that were asked for most recently',
      'cache lru cache export function evict oldest limit number void export function read through key string string',
    ],
  ]);
  expect(named).toEqual(['evictOldest', 'readThrough']);
});

test('Python: a docstring leads to its function, without itself', () => {
  const { pairs } = read('app/session.py', 'python', [
    '"""Signs people in and out of the shop."""',
    '',
    'def refresh_token(session):',
    '    """Gives a session a new token before the old one runs out.',
    '',
    '    Args:',
    '        session: which',
    '    """',
    '    # the clock of the server may be late',
    '    session.expires = clock.now() + lifetime',
    '    session.token = tokens.create(session.user)',
    '    return session.token',
    '',
    'def forget(session):',
    '    sessions.remove(session)',
  ]);

  expect(pairs).toEqual([
    [
      'doc',
      'gives session new token before the old one runs out',
      'app session def refresh token session session expires clock now lifetime session token tokens create session user return session token',
    ],
    [
      'name',
      'refresh token',
      'app session session expires clock now lifetime session token tokens create session user return session token',
    ],
    [
      'inline',
      'the clock of the server may be late',
      'app session session expires clock now lifetime session token tokens create session user return session token',
    ],
    ['head', 'signs people in and out of the shop', 'app session def refresh token session def forget session'],
  ]);
});

test('Go: the comment above a function leads to it', () => {
  const { pairs } = read('pkg/retry/retry.go', 'go', [
    'package retry',
    '',
    '// Do runs fn until it succeeds or the attempts are used up.',
    'func Do(attempts int, fn func() error) error {',
    '\tvar err error',
    '\tfor try := 0; try < attempts; try++ {',
    '\t\tif err = fn(); err == nil {',
    '\t\t\treturn nil',
    '\t\t}',
    '\t}',
    '\treturn err',
    '}',
  ]);

  expect(pairs).toEqual([
    [
      'doc',
      'do runs fn until it succeeds or the attempts are used up',
      'retry retry func do attempts int fn func error error var err error for try try attempts try if err fn err nil return nil return err',
    ],
  ]);
});

test('Java: a Chinese comment above an annotation leads to the method, character by character and pair by pair', () => {
  const { pairs } = read('src/main/java/shop/Orders.java', 'java', [
    'package shop;',
    '',
    'class Orders {',
    '    /**',
    '     * 取消订单。',
    '     *',
    '     * @param orderId 订单编号',
    '     */',
    '    @Transactional',
    '    void cancel(long orderId) {',
    '        // 先退款',
    '        // 再退货',
    '        payments.refund(orderId);',
    '        stock.giveBack(orderId);',
    '    }',
    '}',
  ]);

  expect(pairs).toContainEqual([
    'doc',
    '取 消 取消 订 消订 单 订单',
    'shop orders void cancel long order id payments refund order id stock give back order id',
  ]);
  expect(pairs).toContainEqual([
    'inline',
    '先 退 先退 款 退款 再 退 再退 货 退货',
    'shop orders payments refund order id stock give back order id',
  ]);
});

test('the title of a test leads to what it does', () => {
  const { pairs } = read('src/cache/lru-cache.test.ts', 'typescript', [
    "import { expect, test } from 'vitest';",
    '',
    "test('the entry that was used least recently is dropped first', () => {",
    '  const cache = lruCache({ limit: 2 });',
    "  cache.set('one', 1);",
    '  // This is no comment on code that anybody looks for.',
    "  expect(cache.has('one')).toBe(false);",
    '});',
  ]);

  expect(pairs).toEqual([
    [
      'test',
      'the entry that was used least recently is dropped first',
      'cache lru cache test const cache lru cache limit cache set one this is no comment on code that anybody looks for expect cache has one to be false',
    ],
  ]);
});

test('what a program wrote, and what says too little, gives nothing', () => {
  const body = [
    'export function evictOldest(limit: number): void {',
    '  while (entries.size > limit) drop(oldest);',
    '}',
  ];
  const kinds = (...lines: string[]) => read('src/a.ts', 'typescript', lines).pairs.map(([kind]) => kind);

  expect(kinds('/** Drops the entry that was used least recently. */', ...body)).toEqual(['doc']);
  expect(
    kinds('// Made by a tool. DO NOT EDIT.', '', '/** Drops the entry that was used least recently. */', ...body),
  ).toEqual([]);
  expect(kinds('/** evicts */', ...body)).toEqual([]);
});
