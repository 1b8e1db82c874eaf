import { expect, test } from 'vitest';
import { builtInVectors } from './built-in-vectors.ts';

test.each([
  ['登录', 'login'],
  ['缓存怎么失效', 'cache'],
  ['请求的重试', 'retry'],
  ['删除用户配置', 'delete'],
  ['删除用户配置', 'user'],
  ['删除用户配置', 'config'],
  ['解析表单', 'parse'],
])('%s is looked for as %s, too', (chinese, english) => {
  expect(builtInVectors().translate(chinese)).toContain(english);
});

test('each word is given once, and what is not Chinese is left to itself', () => {
  const words = builtInVectors().translate('缓存 token 缓存');

  expect(words).toEqual([...new Set(words)]);
  expect(words).not.toContain('token');
  expect(builtInVectors().translate('where is the cache')).toEqual([]);
});

test('characters that are no word have no translation', () => {
  expect(builtInVectors().translate('龘靐')).toEqual([]);
});
