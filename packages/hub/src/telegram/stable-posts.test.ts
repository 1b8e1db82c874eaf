import { partMaker } from '@dragoman/protocol';
import { rounds, sessionOf } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scene } from '../channels/channel.ts';
import { telegramRenderer } from './telegram-renderer.ts';

/** Something that an agent does next. */
const step = fc.oneof(
  fc.lorem({ maxCount: 120 }).map((text) => ({ type: 'text' as const, text })),
  fc.lorem({ maxCount: 60 }).map((text) => ({ type: 'thinking' as const, text })),
  fc.lorem({ maxCount: 20 }).map((text) => ({ type: 'read' as const, text })),
  fc.lorem({ maxCount: 150 }).map((text) => ({ type: 'bash' as const, text })),
  fc.integer({ min: 1, max: 12 }).map((entries) => ({ type: 'plan' as const, entries })),
);

test('while a turn goes on, messages are only added, and none that was there is needed no more [UAP-35]', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 80 }), (steps) => {
      const session = sessionOf();
      const makeParts = partMaker();
      let keys: string[] = [];
      const look = () => {
        const view = session.view();
        const scene: Scene = { view, language: 'en', link: undefined, ownPrompts: new Map() };
        const now = makeParts(view).flatMap((part) => telegramRenderer.part(part, scene).map(({ key }) => key));
        expect(now).toEqual(expect.arrayContaining(keys));
        keys = now;
      };
      session.turn('go');
      for (const [index, each] of steps.entries()) {
        const id = `call_${index}`;
        switch (each.type) {
          case 'text':
            session.say(each.text);
            break;
          case 'thinking':
            session.block('assistant', { type: 'thinking', thinking: each.text });
            break;
          case 'plan': {
            const entry = { content: 'a thing to do', status: 'pending' as const };
            session.block('assistant', { type: 'plan', entries: Array.from({ length: each.entries }, () => entry) });
            break;
          }
          default: {
            const input = each.type === 'read' ? { filePath: `${id}.ts` } : { command: 'make' };
            session.block('assistant', { type: 'tool_use', id, name: each.type, input });
            look();
            session.finish(id, each.text);
          }
        }
        look();
      }
      session.endTurn();
      look();
    }),
    { numRuns: rounds(1000), seed: 38 },
  );
});
