import { expect, test } from 'vitest';
import { readThinking, type ThinkingBlock, thinkingNode } from './nodes.ts';

const kept = (blocks: ThinkingBlock[]) =>
  (thinkingNode(1, blocks) as unknown as { thinking: Record<string, unknown> }).thinking;

test.each<[ThinkingBlock[]]>([
  [[{ text: 'one' }]],
  [[{ text: '' }]],
  [[{ text: 'one\n\n', providerMetadata: { anthropic: { signature: 'SIG' } } }, { text: '' }, { text: 'two 🙂' }]],
])('%j comes back as it went', (blocks) => {
  expect(readThinking(kept(blocks))).toEqual(blocks);
});

test.each([
  ['a length below nothing', [{ length: -2 }, { length: -2 }]],
  ['half a character', [{ length: 1.5 }, { length: 0.5 }]],
  ['more than the text', [{ length: 9 }, { length: 9 }]],
  ['less than the text', [{ length: 1 }]],
  ['no block', [null]],
  ['metadata of another form', [{ length: 6, providerMetadata: { anthropic: null } }]],
  ['no blocks at all', []],
])('blocks with %s are not ours', (_what, blocks) => {
  expect(readThinking({ summary: 'a text', dragoman_blocks: blocks })).toBeUndefined();
});
