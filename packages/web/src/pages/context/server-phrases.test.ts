import { expect, test } from 'vitest';
import { detailInChinese, phraseInChinese } from './server-phrases.ts';

test('what the server says of a path is said in Chinese, names and numbers as they are', () => {
  expect(
    [
      'No rule matches',
      'left out: node_modules/',
      'left out: *.log in line 3',
      'left out: build/ in line 2, so the folder build is left out',
      'taken back: !kept.log in line 1',
      'Text of 120 bytes',
      'left out: Large file: 2400000 bytes; the limit is 1048576',
      'left out: Binary file: not UTF-8',
      'something new',
    ].map(phraseInChinese),
  ).toEqual([
    '没有规则匹配',
    '排除：node_modules/',
    '排除：*.log（第 3 行）',
    '排除：build/（第 2 行），因此整个文件夹 build 被排除',
    '恢复：!kept.log（第 1 行）',
    '120 字节的文本',
    '排除：文件太大：2400000 字节，上限 1048576',
    '排除：二进制文件：不是 UTF-8',
    'something new',
  ]);
});

test('words that were found stay as they are; kinds and counts are said in Chinese', () => {
  expect([
    detailInChinese('words-in-text', 'cache, test'),
    detailInChinese('kind-of-file', 'test, code'),
    detailInChinese('used-by-others', '1 file imports it, 1,200 name it'),
    detailInChinese('size-and-depth', '1 line'),
    detailInChinese('meaning', 'nearest at line 12, 48 of 100'),
  ]).toEqual([
    'cache, test',
    '测试、代码',
    '被 1 个文件导入，被 1,200 个文件提及',
    '1 行',
    '最接近处在第 12 行，48/100',
  ]);
});
