import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { freshEditor } from '../vscode.fixture.ts';
import { chatWords } from './chat-words.ts';
import { readAnswer } from './read-answer.ts';

beforeEach(() => void freshEditor());

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (value: object, finish: string | null = null) =>
  event({ choices: [{ delta: value, finish_reason: finish }] });
const DONE = 'data: [DONE]\n\n';

/** Reads bytes that come in pieces of the given sizes, again and again. */
async function read(stream: string, sizes: readonly number[] = [1 << 20]) {
  const bytes = new TextEncoder().encode(stream);
  const told: unknown[] = [];
  let at = 0;
  let turn = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn++ % sizes.length]!;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
  await readAnswer(body, { text: (piece) => told.push(piece), toolCall: (call) => told.push(call) });
  return told;
}

test('text is told as it comes, and calls when they are whole', async () => {
  expect(
    await read(
      [
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'thinking' }),
        delta({ content: 'Let me ' }),
        delta({ content: 'look.' }),
        delta({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'search', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '{"query":' } }] }),
        delta({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'list', arguments: '' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '"bill"}' } }] }),
        delta({}, 'tool_calls'),
        event({ choices: [], usage: { total_tokens: 3 } }),
        DONE,
      ].join(''),
    ),
  ).toEqual([
    'Let me ',
    'look.',
    { id: 'c1', name: 'search', input: { query: 'bill' } },
    { id: 'c2', name: 'list', input: {} },
  ]);
});

describe('what goes wrong is a sentence', () => {
  test('of the server, where it has one', async () => {
    await expect(
      read(delta({ content: 'a' }) + event({ error: { message: 'The key was not accepted.' } })),
    ).rejects.toThrow('The key was not accepted.');
  });

  test('where the answer breaks off, or is not what it should be', async () => {
    const { brokeOff, badToolInput } = chatWords.en;
    await expect(read(delta({ content: 'a' }))).rejects.toThrow(brokeOff);
    await expect(read('data: {"choices\n\n')).rejects.toThrow(brokeOff);
    await expect(read('')).rejects.toThrow(brokeOff);
    const broken = delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'edit', arguments: '{"a":' } }] });
    await expect(read(broken + delta({}, 'tool_calls'))).rejects.toThrow(badToolInput('edit'));
    const number = delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'edit', arguments: '7' } }] });
    await expect(read(number + delta({}, 'tool_calls'))).rejects.toThrow(badToolInput('edit'));
  });
});

test('for any answer, cut anywhere, the same is told', async () => {
  const call = fc.record({
    id: fc.string({ minLength: 1 }),
    name: fc.string({ minLength: 1 }),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
  });
  const piece = fc.string({ minLength: 1, unit: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece),
      fc.array(call, { maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      async (texts, calls, sizes) => {
        const stream = [
          ...texts.map((content) => delta({ content })),
          ...calls.map(({ id, name }, index) =>
            delta({ tool_calls: [{ index, id, function: { name, arguments: '' } }] }),
          ),
          // The pieces of all calls come in turn.
          ...calls.flatMap(({ input }, index) =>
            JSON.stringify(input)
              .match(/[^]{1,7}/gu)!
              .map((text) => delta({ tool_calls: [{ index, function: { arguments: text } }] })),
          ),
          delta({}, 'stop'),
          DONE,
        ].join('');
        const expected = calls.map(({ id, name, input }) => ({
          id,
          name,
          input: JSON.parse(JSON.stringify(input)) as object,
        }));
        expect(await read(stream, sizes)).toEqual([...texts, ...expected]);
      },
    ),
    { seed: 1 },
  );
});
