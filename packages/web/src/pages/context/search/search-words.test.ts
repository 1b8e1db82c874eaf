import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test('before the first question it is said whether questions stay on the server', () => {
  expect(searchWords.en.start(undefined)).toBe(
    'The best matches come first, each with the reasons it was found. Nothing leaves this server.',
  );
  expect(searchWords.zh.start(undefined)).toBe('最匹配的结果排在最前，并说明理由。内容不会离开这台服务器。');
});

test('with an embedding model it is said that questions and code are sent to it', () => {
  const model = 'openai/text-embedding-3-small';
  expect(searchWords.en.start(model)).toBe(
    'The best matches come first, each with the reasons it was found. Questions and indexed code are sent to openai/text-embedding-3-small, the configured embedding model.',
  );
  expect(searchWords.zh.start(model)).toBe(
    '最匹配的结果排在最前，并说明理由。问题和已索引的代码会发送给所配置的嵌入模型 openai/text-embedding-3-small。',
  );
});
