import { readFileSync, writeFileSync } from 'node:fs';
import { type UapFixture, uapFixtures } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { postsOf, viewAt, wrongIn } from './cards.fixture.ts';

/** With `DRAGOMAN_GOLDEN=write` the golden cards are written anew; read them before they are kept. */
const isWriting = process.env['DRAGOMAN_GOLDEN'] === 'write';

/** A session in the middle and at its end. */
function golden({ title, events, moments }: UapFixture) {
  const middle = moments?.[0]?.seq ?? events[Math.floor(events.length / 2)]!.seq;
  return {
    title,
    running: { seq: middle, posts: postsOf(viewAt(events, middle)) },
    final: { posts: postsOf(viewAt(events, Infinity)) },
  };
}

test.each(uapFixtures().map((fixture) => [fixture.name, fixture] as const))(
  'the golden session %s is shown in the golden cards, running and in the end [UAP-27, UAP-28, UAP-32]',
  (name, fixture) => {
    const file = new URL(`golden/${name}.json`, import.meta.url);
    // As it travels: what is absent is not there.
    const made = JSON.parse(JSON.stringify(golden(fixture))) as ReturnType<typeof golden>;
    if (isWriting) writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`);
    expect(made).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    const cards = [...made.running.posts, ...made.final.posts].flatMap(({ body }) =>
      body.type === 'card' ? [body.card] : [],
    );
    expect(cards.flatMap((card) => wrongIn(card))).toEqual([]);
  },
);
