import { expect, test } from 'vitest';
import { englishPaths, isTranslation, translationPairs } from './translation-pairs.ts';

function pairs(path: string, zh: string, en?: string): string[][] {
  return translationPairs(path, zh, en).map(({ kind, query, code }) => [kind, query.join(' '), code.join(' ')]);
}

test.each([
  ['src/locale/zh-CN.json', true],
  ['src/lang/zh_CN/user.ts', true],
  ['docs/README.zh-CN.md', true],
  ['docs/README-zh_CN.md', true],
  ['messages_zh.properties', true],
  ['po/zh_CN.po', true],
  ['src/locale/en-US.json', false],
  ['src/zh-CN.png', false],
  ['src/chat.ts', false],
])('Chinese is told by the path: %s is %s', (path, expected) => {
  expect(isTranslation(path)).toBe(expected);
});

test('the English of a Chinese file is looked for beside it', () => {
  expect(englishPaths('src/locale/zh-CN/user.ts')).toContain('src/locale/en-US/user.ts');
  expect(englishPaths('docs/README.zh-CN.md')).toContain('docs/README.md');
  expect(englishPaths('messages_zh.properties')).toContain('messages_en.properties');
});

test('entries of two files are paired by their keys, however deep', () => {
  const zh = "export default {\n  user: {\n    login: '登录',\n    logout: '退出 {name}',\n  },\n  same: 'OK',\n};";
  const en =
    "export default {\n  user: {\n    logout: 'Sign out {name}',\n    login: 'Sign in',\n  },\n  same: 'OK',\n};";

  expect(pairs('zh-CN.ts', zh, en)).toEqual([
    ['both', '登 录 登录', 'sign in'],
    ['both', '退 出 退出', 'sign out'],
  ]);
  expect(pairs('zh-CN.json', '{\n  "a": {\n    "b": "缓存"\n  }\n}', '{\n  "a": {\n    "b": "Cache"\n  }\n}')).toEqual([
    ['both', '缓 存 缓存', 'cache'],
  ]);
  expect(pairs('m_zh.properties', 'a.b=\\u7f13\\u5b58', 'a.b=Cache')).toEqual([['both', '缓 存 缓存', 'cache']]);
  expect(pairs('zh-CN.ts', zh)).toEqual([]);
});

test('paragraphs of two documents are paired where both have the same shape', () => {
  const zh = '# 缓存\n\n先读缓存。\n\n```\nread()\n```\n\n- 读取\n- 写入';
  const en = '# Caching\n\nThe cache is read first.\n\n```\nread()\n```\n\n- read\n- write';

  expect(pairs('a.zh-CN.md', zh, en)).toEqual([
    ['both', '缓 存 缓存', 'caching'],
    ['both', '先 读 先读 缓 读缓 存 缓存', 'the cache is read first'],
    ['both', '读 取 读取', 'read'],
    ['both', '写 入 写入', 'write'],
  ]);
  expect(pairs('a.zh-CN.md', zh, `${en}\n\nOne more paragraph.`)).toEqual([]);
});

test('gettext and XLIFF files hold both languages', () => {
  expect(pairs('po/zh_CN.po', 'msgid ""\nmsgstr "header"\n\nmsgid "Delete "\n"user"\nmsgstr "删除用户"')).toEqual([
    ['both', '删 除 删除 用 除用 户 用户', 'delete user'],
  ]);
  expect(pairs('messages.zh-CN.xlf', '<source>Retry</source>\n<target state="final">重试</target>')).toEqual([
    ['both', '重 试 重试', 'retry'],
  ]);
});

test('what is not translated teaches nothing', () => {
  expect(pairs('zh-CN.json', '{\n  "a": "Cache"\n}', '{\n  "a": "Cache"\n}')).toEqual([]);
  expect(pairs('zh-CN.json', '{\n  "a": "缓存"\n}', '{\n  "a": "缓存"\n}')).toEqual([]);
});
