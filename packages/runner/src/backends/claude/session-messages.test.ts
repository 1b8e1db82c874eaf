import type { BackendEvent } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockWriter } from '../../backend/block-writer.ts';
import { foldMessages } from '../../backend/tested-backend.fixture.ts';
import { SessionMessages } from './session-messages.ts';
import { ToolCalls } from './tool-calls.ts';

type Prose = { type: 'text' | 'thinking'; text: string };
type Use = { type: 'tool_use'; input: Record<string, string> };

const anyBlock = fc.oneof(
  fc.record<Prose>({ type: fc.constantFrom('text', 'thinking'), text: fc.string({ minLength: 1, maxLength: 30 }) }),
  fc.record<Use>({
    type: fc.constant('tool_use'),
    input: fc.dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 9 })),
  }),
);

test('however an answer is cut into pieces, and whenever the whole of a block is told, it is said once [UAP-18, UAP-20]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyBlock, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat({ max: 99 })),
      (answers, chances) => {
        const chance = () => chances.next().value as number;
        const events: BackendEvent[] = [];
        const writer = new BlockWriter((event) => events.push(structuredClone(event)));
        const calls = new ToolCalls({ writer, cwd: '/project', onOver: () => {} });
        const nothing = () => {};
        const messages = new SessionMessages({
          writer,
          calls,
          emit: nothing,
          onSession: nothing,
          onStep: nothing,
          onResult: nothing,
        });
        messages.turnStarted();

        const expected: object[] = [];
        for (const [number, blocks] of answers.entries()) {
          const id = `msg_${number}`;
          const isStreamed = chance() > 20;
          const stream = (event: object) => isStreamed && messages.take({ type: 'stream_event', event });
          stream({ type: 'message_start', message: { id } });
          const told = new Set<string>();
          for (const [index, block] of blocks.entries()) {
            const wire = toWire(block, `call_${number}_${index}`);
            // The same text twice in one message cannot be told from one that was told twice.
            const key = JSON.stringify(block);
            if (block.type !== 'tool_use' && told.has(key)) continue;
            told.add(key);
            const whole = () => messages.take({ type: 'assistant', message: { id, content: [wire.whole] } });
            stream({ type: 'content_block_start', index, content_block: wire.start });
            for (const piece of cut(wire.text, chance))
              stream({ type: 'content_block_delta', index, delta: wire.delta(piece) });
            const isEarly = chance() > 50;
            if (isEarly) whole();
            stream({ type: 'content_block_stop', index });
            if (!isEarly) whole();
            if (chance() > 80) whole();
            expected.push(wire.expected);
          }
        }
        writer.closeAll();

        expect(foldMessages(events).flatMap(({ content }) => content)).toEqual(expected);
      },
    ),
    { numRuns: 200 },
  );
});

function toWire(block: Prose | Use, id: string) {
  if (block.type === 'tool_use') {
    const { input } = block;
    const whole = { type: 'tool_use', id, name: 'custom', input };
    return {
      whole,
      start: { ...whole, input: {} },
      text: JSON.stringify(input),
      delta: (piece: string) => ({ type: 'input_json_delta', partial_json: piece }),
      expected: whole,
    };
  }
  const { type, text } = block;
  return {
    whole: { type, [type]: text },
    start: { type, [type]: '' },
    text,
    delta: (piece: string) => ({ type: `${type}_delta`, [type]: piece }),
    expected: { type, [type]: text },
  };
}

function cut(text: string, chance: () => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + (chance() % 9);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}
