import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldHubEvent, foldHubEvents } from './fold-session-view.ts';
import type { HubEvent } from './hub-event.ts';
import { joinEvents } from './join-events.ts';
import { anyEvents, created, LogInMemory, numbered } from './random-session.fixture.ts';
import type { SessionView } from './session-view.ts';

const options = { seed: 20_260_700, numRuns: process.env['DRAGOMAN_SOAK'] === '1' ? 20_000 : 400 };
const batchSizes = fc.array(fc.nat(9), { maxLength: 12, size: 'max' });

test('whoever reads a session live to any point and the rest from the log at any time sees what the whole sequence gives [UAP-06]', () => {
  fc.assert(
    fc.property(anyEvents, batchSizes, fc.nat(), fc.nat(12), (events, sizes, cursor, batches) => {
      const raw = numbered(events);
      const log = new LogInMemory();
      const rest = [...raw];
      for (const size of sizes.slice(0, batches)) log.append(rest.splice(0, size));
      const seen = log.seen.slice(0, cursor % (log.seen.length + 1));
      for (const size of sizes.slice(batches)) log.append(rest.splice(0, size));
      log.append(rest);

      const until = foldHubEvents(seen);
      const view = foldHubEvents(log.readAfter(until?.seq ?? 0), until);

      expect(view).toEqual(foldHubEvents(raw));
    }),
    options,
  );
});

test('events give the same view one by one, in any groups, and told twice [UAP-06]', () => {
  fc.assert(
    fc.property(anyEvents, batchSizes, (events, sizes) => {
      const raw = numbered(events);
      const whole = foldHubEvents(raw);

      let one: SessionView | undefined;
      for (const logged of raw) one = foldHubEvent(one, logged);
      let grouped: SessionView | undefined;
      let place = 0;
      for (const size of [...sizes, raw.length]) {
        // The last three of before are told again.
        grouped = foldHubEvents(raw.slice(Math.max(0, place - 3), place + size), grouped);
        place += size;
      }

      expect(one).toEqual(whole);
      expect(grouped).toEqual(whole);
    }),
    options,
  );
});

test('joining changes nothing, also a second time, and keeps the last number [UAP-06]', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      const raw = numbered(events);
      const joined = joinEvents(raw);
      expect(foldHubEvents(joined)).toEqual(foldHubEvents(raw));
      expect(joinEvents(joined)).toEqual(joined);
      expect(joined.at(-1)?.seq).toBe(raw.at(-1)?.seq);
    }),
    options,
  );
});

test('any cutting of texts into pieces, in any interleaving of their blocks, gives the same blocks [UAP-08, UAP-09, UAP-11]', () => {
  const texts = fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 5 }), { maxLength: 8 }), { maxLength: 5 });
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.nat()), fc.boolean(), (blocks, choice, isStopped) => {
      const types = ['text', 'thinking', 'tool_result'] as const;
      const empty = { text: { type: 'text', text: '' }, thinking: { type: 'thinking', thinking: '' } } as const;
      const blockOf = (index: number) => {
        const type = types[index % 3]!;
        return type === 'tool_result' ? { type, tool_use_id: `call_${index}`, content: '' } : empty[type];
      };
      const ofBlock = (index: number) => ({
        messageId: `msg_${index}`,
        role: 'assistant' as const,
        blockId: `blk_${index}`,
      });
      const events: HubEvent[] = [created];
      for (const index of blocks.keys()) events.push({ type: 'block-start', ...ofBlock(index), block: blockOf(index) });
      const waiting = blocks.map((pieces) => [...pieces]);
      while (waiting.some((pieces) => pieces.length > 0)) {
        const open = [...waiting.keys()].filter((index) => waiting[index]!.length > 0);
        const index = open[choice.next().value % open.length]!;
        events.push({ type: 'block-delta', blockId: `blk_${index}`, delta: waiting[index]!.shift()! });
      }
      if (isStopped) events.push({ type: 'turn-finished', turnId: 'trn_1', reason: 'cancelled' });

      const view = foldHubEvents(numbered(events))!;

      const said = view.messages.flatMap((message) =>
        message.blocks.map(({ block }) =>
          block.type === 'text'
            ? block.text
            : block.type === 'thinking'
              ? block.thinking
              : 'content' in block && block.content,
        ),
      );
      expect(said).toEqual(blocks.map((pieces) => pieces.join('')));
      expect(view.messages.every(({ blocks: shown }) => shown[0]!.isOpen === !isStopped)).toBe(true);
    }),
    options,
  );
});

test('whatever is in a log, folding it does not fail [UAP-13]', () => {
  const damaged = fc.tuple(anyEvents, fc.nat(), fc.jsonValue()).map(([events, place, value]): unknown[] => {
    const index = 1 + (place % events.length);
    const event = events[index];
    if (event === undefined) return [...events, value];
    const keys = Object.keys(event).filter((key) => key !== 'type');
    const key = keys[place % keys.length]!;
    return (events as unknown[]).with(index, { ...event, [key]: value });
  });
  fc.assert(
    fc.property(damaged, (events) => {
      const raw = numbered(events as HubEvent[]);
      expect(foldHubEvents(raw)?.seq).toBe(raw.length);
      expect(foldHubEvents([...raw, { seq: raw.length + 1, at: 0, event: null as never }])?.seq).toBe(raw.length + 1);
    }),
    options,
  );
});
