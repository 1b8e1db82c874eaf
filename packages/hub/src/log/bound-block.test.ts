import { expect, test } from 'vitest';
import { boundBlock } from './bound-block.ts';

const stop = (block: object) => ({ type: 'block-stop', messageId: 'm', role: 'agent', blockId: 'b', block }) as never;

test('the long texts of a block are cut, and the short ones stay', () => {
  const diffs = [{ path: 'a.ts', unified: 'x'.repeat(3_000_000) }];

  expect(boundBlock(stop({ type: 'tool_result', tool_use_id: 'c', content: 'y'.repeat(900_000), diffs }))).toEqual(
    stop({
      type: 'tool_result',
      tool_use_id: 'c',
      content: 'y'.repeat(900_000),
      diffs: [{ path: 'a.ts', unified: `${'x'.repeat(100_000)}\n…` }],
    }),
  );
});

test('a text is cut between characters', () => {
  const { delta } = boundBlock({ type: 'block-delta', blockId: 'b', delta: `x${'🙂'.repeat(1_500_000)}` });

  expect(delta).toBe(`x${'🙂'.repeat(499_999)}\n…`);
});

test('a block of very many short texts says that it was too large', () => {
  const entries = Array.from({ length: 1_000 }, () => ({ content: 'x'.repeat(9_000), status: 'pending' }));

  expect(boundBlock(stop({ type: 'plan', entries }))).toEqual(
    stop({ type: 'notice', level: 'warning', text: 'What stood here was too large to be kept.' }),
  );
});
