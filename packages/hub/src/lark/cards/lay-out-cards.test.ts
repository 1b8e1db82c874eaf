import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { CardJson } from './card-json.ts';
import { cardsIn, postsOf, seen, wrongIn } from './cards.fixture.ts';

/** The texts of each card. */
function textsOf(cards: readonly CardJson[]): string[][] {
  return cards.map(({ body }) =>
    body.elements.flatMap((element) =>
      element.tag === 'markdown' && element.element_id?.startsWith('t_') === true ? [element.content] : [],
    ),
  );
}

test('an answer that is too long for a card goes on in another, between paragraphs, and only the last one streams [UAP-28]', () => {
  const session = sessionOf();
  session.turn('write');
  const paragraph = (index: number) => `Paragraph ${index}. ${'Words. '.repeat(140)}`.trim();
  const all = Array.from({ length: 60 }, (_, index) => paragraph(index + 1));
  session.say(all.join('\n\n'));
  const posts = postsOf(session.view());
  expect(posts.map(({ key, body }) => `${key} ${body.type === 'card' && body.isStreaming}`)).toEqual([
    'part pmt_1 false',
    'part pmt_1 2 false',
    'part pmt_1 3 false',
    'part pmt_1 4 true',
  ]);
  const cards = cardsIn(session.view());
  expect(textsOf(cards).flat().join('\n\n')).toBe(all.join('\n\n'));
  expect(cards.flatMap((card) => wrongIn(card))).toEqual([]);
  expect(cards.map((card) => seen(card).lines.at(-1) === '⏳ Working…')).toEqual([false, false, false, true]);
});

test('code that goes on in another card is code there, and a table has its head again', () => {
  const session = sessionOf();
  session.turn('write');
  session.say(`\`\`\`ts\n${'const a = 1;\n'.repeat(3000)}\`\`\`\n\nAfter.`);
  session.say(`| a | b |\n|---|---|\n${'| one | two |\n'.repeat(2000)}`);
  const texts = textsOf(cardsIn(session.view())).flat();
  const code = texts.filter((text) => text.startsWith('```ts\nconst a = 1;\n'));
  expect(code.length).toBe(3);
  expect(code.map((text) => text.match(/^```/gm)?.length)).toEqual([2, 2, 2]);
  expect(code.join('').match(/const a = 1;/g)?.length).toBe(3000);
  const tables = texts.filter((text) => text.includes('| a | b |\n| --- | --- |\n| one | two |'));
  expect(tables.length).toBeGreaterThan(1);
  expect(tables.join('').match(/\| one \|/g)?.length).toBe(2000);
});

test('many calls go on in further cards, and none of them moves when its result comes', () => {
  const session = sessionOf();
  session.turn('work');
  for (let index = 0; index < 50; index += 1)
    session.call(`call_${index}`, 'bash', { input: { command: `step ${index}` } }, { isRunning: true });
  const placesOf = () => cardsIn(session.view()).map((card) => seen(card).panels.map(({ elementId }) => elementId));
  const before = placesOf();
  expect(before.length).toBeGreaterThan(1);
  for (let index = 0; index < 50; index += 1)
    session.finish(`call_${index}`, 'A long line of output. '.repeat(index * 90));
  expect(placesOf()).toEqual(before);
  expect(cardsIn(session.view()).flatMap((card) => wrongIn(card))).toEqual([]);
});

test('a plan that moves on does not move what was said before it', () => {
  const session = sessionOf();
  session.turn('plan');
  const plan = (done: boolean) =>
    session.block('assistant', {
      type: 'plan',
      entries: Array.from({ length: 40 }, (_, index) => ({
        content: `Step ${index} ${'of many '.repeat(10)}`,
        status: done ? 'completed' : 'pending',
      })),
    });
  plan(false);
  for (let index = 0; index < 40; index += 1) session.say(`Part ${index}. ${'Words. '.repeat(140)}`);
  const before = textsOf(cardsIn(session.view()));
  plan(true);
  expect(textsOf(cardsIn(session.view()))).toEqual(before);
});

test('a card has four tables at most; the others are written as lists', () => {
  const session = sessionOf();
  session.turn('tables');
  for (let index = 0; index < 7; index += 1) session.say('| a | b |\n|---|---|\n| 1 | 2 |');
  const [card] = cardsIn(session.view());
  expect(textsOf([card!]).flat()).toEqual([
    ...Array.from({ length: 4 }, () => '| a | b |\n| --- | --- |\n| 1 | 2 |'),
    ...Array.from({ length: 3 }, () => 'a · b\n- 1 · 2'),
  ]);
});
