import {
  type ContentBlock,
  foldHubEvents,
  type HubEvent,
  type LoggedHubEvent,
  partMaker,
  type SessionView,
} from '@dragoman/protocol';
import { rounds, uapFixtures } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CardBody, cardsOf } from './answer-cards.ts';
import { NO_SCENE, postsOf, viewAt } from './cards.fixture.ts';
import type { CardJson } from './card-json.ts';

const by = { type: 'user', userId: 'usr_ada', name: 'Ada', channel: 'web' } as const;
const BEFORE: HubEvent[] = [
  {
    type: 'session-created',
    session: { id: 'ses_1', title: 'A session', agent: 'example', runnerId: 'rnr_1', folder: '/project', by },
  },
  { type: 'prompt-queued', prompt: { id: 'pmt_1', content: [{ type: 'text', text: 'Go.' }], delivery: 'queue', by } },
  { type: 'turn-started', turnId: 'trn_1', promptId: 'pmt_1' },
];
const AFTER: HubEvent[] = [{ type: 'turn-finished', turnId: 'trn_1', reason: 'done' }];

interface Answer {
  key: string;
  cards: readonly CardBody[];
}

/** The events of a session as they come, and the answers as a chat shows them then. */
function answerCards(how: typeof NO_SCENE) {
  const makeParts = partMaker();
  let view: SessionView | undefined;
  return {
    take(events: Iterable<LoggedHubEvent>) {
      view = foldHubEvents(events, view);
    },
    answers(): Answer[] {
      const scene = { ...how, view: view! };
      return makeParts(scene.view).map((part) => ({ key: part.key, cards: cardsOf(part, scene) }));
    },
  };
}

/** A block as it is said: whole, or in pieces. */
interface Saying {
  block: ContentBlock;
  cuts: readonly number[];
}

/** The events of blocks, each at the same time however it is said. */
function eventsOf(sayings: readonly Saying[], isWhole: boolean): LoggedHubEvent[] {
  const events: LoggedHubEvent[] = [];
  let seq = 0;
  const add = (at: number, event: HubEvent) => void events.push({ seq: ++seq, at, event });
  for (const event of BEFORE) add(1000, event);
  for (const [index, { block, cuts }] of sayings.entries()) {
    const [begun, ended] = [2000 + index * 1000, 2900 + index * 1000];
    const base = { messageId: `msg_${index}`, role: 'assistant', blockId: `blk_${index}` } as const;
    const field = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : undefined;
    if (field !== undefined) {
      add(begun, { type: 'block-start', ...base, block: emptied(block) });
      if (!isWhole)
        for (const delta of piecesOf(field, cuts)) add(begun, { type: 'block-delta', blockId: base.blockId, delta });
    }
    add(ended, { type: 'block-stop', ...base, block });
  }
  for (const event of AFTER) add(90_000, event);
  return events;
}

function emptied(block: ContentBlock): ContentBlock {
  return block.type === 'text' ? { ...block, text: '' } : { type: 'thinking', thinking: '' };
}

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.floor(cut * text.length)), text.length].toSorted(
    (one, other) => one - other,
  );
  return places.slice(1).map((place, index) => text.slice(places[index], place));
}

/** The answers after the events, taken in one after another or all at once. */
function answersOf(events: readonly LoggedHubEvent[], { inBatchesOf }: { inBatchesOf: number }): Answer[] {
  const session = answerCards(NO_SCENE);
  for (let at = 0; at < events.length; at += inBatchesOf) {
    session.take(events.slice(at, at + inBatchesOf));
    session.answers();
  }
  return session.answers();
}

const words = fc
  .array(
    fc.constantFrom(
      'Some words. ',
      '**bold** ',
      '\n\n',
      '```ts\nlet a;\n```\n',
      '- item\n',
      '字😀',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      'x'.repeat(500),
    ),
    { maxLength: 90 },
  )
  .map((pieces) => pieces.join(''));
const saying: fc.Arbitrary<Saying> = fc.record({
  block: fc.oneof(
    words.map((text): ContentBlock => ({ type: 'text', text })),
    words.map((thinking): ContentBlock => ({ type: 'thinking', thinking })),
    fc
      .constantFrom('a', 'b')
      .map((id): ContentBlock => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } })),
    fc.constantFrom('a', 'b').map((id): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: 'x' })),
  ),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
});

test('an answer is one card that is updated, however many blocks it has [UAP-28]', () => {
  const { events } = uapFixtures().find(({ name }) => name === 'example')!;
  const session = answerCards({ ...NO_SCENE, ownPrompts: new Map([['pmt_1', 'om_1']]) });
  const seen = events.map((event) => {
    session.take([event]);
    return session.answers().map(({ key, cards }) => `${key}: ${cards.length}`);
  });
  expect(new Set(seen.flat())).toEqual(new Set(['pmt_1: 1']));
});

test('deltas of a block are joined without breaks, and blocks keep their order [UAP-29]', () => {
  const events = eventsOf(
    [
      { block: { type: 'text', text: 'One, two, three.' }, cuts: [0.2, 0.4, 0.41] },
      { block: { type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } }, cuts: [] },
      { block: { type: 'text', text: 'Four.' }, cuts: [0.5] },
    ],
    false,
  );
  const [answer] = answersOf(events, { inBatchesOf: 1 });
  expect(answer?.cards[0]?.card.body.elements.slice(1, 4)).toMatchObject([
    { tag: 'markdown', content: 'One, two, three.' },
    { tag: 'collapsible_panel' },
    { tag: 'markdown', content: 'Four.' },
  ]);
});

test('whole blocks or any pieces of them give the same cards in the end, and those of the finished messages [UAP-29]', () => {
  fc.assert(
    fc.property(
      fc.array(saying, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      (sayings, inBatchesOf) => {
        const pieces = eventsOf(sayings, false);
        const cards = answersOf(pieces, { inBatchesOf }).flatMap((answer) => answer.cards);
        const whole = eventsOf(sayings, true);
        expect(answersOf(whole, { inBatchesOf: whole.length }).flatMap((answer) => answer.cards)).toEqual(cards);
        expect(postsOf(viewAt(whole, Infinity)).map(({ body }) => body)).toEqual(cards);
      },
    ),
    { seed: 20_261_103, numRuns: rounds(2000) },
  );
});

function textsOf({ body }: CardJson): string[] {
  return body.elements.flatMap((element) =>
    element.tag === 'markdown' && element.element_id?.startsWith('t_') === true ? [element.content] : [],
  );
}

/** Marks may mean something else when more has come; letters and digits stay. */
function lettersIn(json: string): string {
  return (JSON.parse(json) as string[]).join('').replaceAll(/&#\d+;|[^\p{L}\p{N}]/gu, '');
}

function startsWith(before: string): (text: string) => boolean {
  return (text) => text.startsWith(before);
}

test('what was shown in a card stays there while the text grows, and goes on in another card [UAP-28]', () => {
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 12 }), (texts) => {
      const session = answerCards(NO_SCENE);
      const start = eventsOf([], false).slice(0, BEFORE.length);
      const base = { messageId: 'msg_1', role: 'assistant', blockId: 'blk_1' } as const;
      session.take([
        ...start,
        { seq: 4, at: 2000, event: { type: 'block-start', ...base, block: { type: 'text', text: '' } } },
      ]);
      let before: string[] = [];
      for (const [index, delta] of texts.entries()) {
        session.take([{ seq: 5 + index, at: 2000, event: { type: 'block-delta', blockId: 'blk_1', delta } }]);
        const cards = session.answers()[0]!.cards.map(({ card }) => JSON.stringify(textsOf(card)));
        // A card that another one follows is never touched again.
        expect(cards.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
        // And the one that was the last goes on with what it showed.
        expect(lettersIn(cards[Math.max(0, before.length - 1)]!)).toSatisfy(
          startsWith(lettersIn(before.at(-1) ?? '[]')),
        );
        before = cards;
      }
    }),
    { seed: 20_261_104, numRuns: rounds(1000) },
  );
});
