import { expect, test } from 'vitest';
import { makeExcerpt } from './make-excerpt.ts';
import { parseQuery } from './parse-query.ts';

const FILLER = 'nothing to see here, '.repeat(1_000);

/** With the marked words in brackets. */
function excerptOf(text: string, q: string): string {
  const { excerpt, marks } = makeExcerpt(text, parseQuery(q));
  return marks.reduceRight((marked, [from, to]) => {
    return `${marked.slice(0, from)}[${marked.slice(from, to)}]${marked.slice(to)}`;
  }, excerpt);
}

test('what stands deep in a long text is shown with its words marked', () => {
  const shown = excerptOf(`${FILLER}a walrus and an ocelot met, ${FILLER}`, 'ocelot walrus');

  expect(shown).toContain('a [walrus] and an [ocelot] met, nothing');
});

test('a place with all of the words is shown, also behind one with some of them', () => {
  const shown = excerptOf(`a walrus, ${FILLER}an ocelot with a walrus, ${FILLER}`, 'ocelot walrus');

  expect(shown).toContain('an [ocelot] with a [walrus], nothing');
});
