import { expect, test } from 'vitest';
import { readQuestion } from './question.ts';

const termsOf = (query: string, kind: string) =>
  readQuestion(query)
    .terms.filter((term) => term.kind === kind)
    .map(({ term }) => term);

test('a question is read as the roots of the words that tell', () => {
  expect(termsOf('How are the cookies parsed?', 'word')).toEqual(['cook', 'pars']);
});

test('two neighbouring words are also looked for as one name', () => {
  expect(termsOf('where is the rate limiter', 'pair')).toEqual(['=ratelimiter']);
});

test('an identifier is looked for by its parts and as a whole', () => {
  expect(termsOf('parseHeader', 'word')).toEqual(['pars', 'head']);
  expect(termsOf('parseHeader', 'whole')).toEqual(['=parseheader']);
});

test('a word that means the same counts as the word it stands for', () => {
  const { terms } = readQuestion('authentication flow');
  const auth = terms.find(({ term }) => term === 'auth');

  expect(auth).toMatchObject({ kind: 'synonym', as: 0 });
});

test('a name alone is a symbol, and gets no synonyms', () => {
  const question = readQuestion('Session::config');

  expect(question).toMatchObject({ isSymbol: true, symbols: [{ name: 'config', container: 'Session' }] });
  expect(question.terms.filter(({ kind }) => kind === 'synonym')).toEqual([]);
});

test('names are found in a sentence by their shape, by quotes and by the brackets of a call', () => {
  const { symbols, isSymbol } = readQuestion('make `redirect` and reload() respect max_age of HttpCache');

  expect(isSymbol).toBe(false);
  expect(symbols.map(({ name }) => name)).toEqual(['redirect', 'reload', 'max_age', 'HttpCache']);
});

test.each([
  ['net: close the socket', ['net']],
  ['feat(router): add a fallback', ['rout']],
  ['[kubelet] fix probes', ['kubelet']],
  ['fix: a typo', []],
  ['how does this work: in detail', []],
  ['std::string is copied', []],
])('%s has the scope %j', (query, scope) => {
  expect(readQuestion(query).scope).toEqual(scope);
});

test('words that only say that something changes are left out of a note, and kept in a question', () => {
  expect(readQuestion('Fix missing header')).toMatchObject({ isChange: true, words: ['missing', 'header'] });
  expect(readQuestion('how is a fix applied')).toMatchObject({ isChange: false, words: ['fix', 'applied'] });
});

test('a question of nothing but small words is taken as it is', () => {
  expect(readQuestion('how to do it').words).toEqual(['how', 'to', 'do', 'it']);
});

test('a question longer than the masks has room for is cut, and keeps its first words', () => {
  const { terms } = readQuestion(Array.from({ length: 60 }, (_, index) => `word${index}x`).join(' '));

  expect(Math.max(...terms.map(({ as }) => as))).toBeLessThan(30);
});

test('a question in Chinese is no name, though it has no spaces', () => {
  expect(readQuestion('登录令牌在哪里刷新')).toMatchObject({ isSymbol: false, symbols: [], hasMeaning: true });
  expect(readQuestion('登录 token 在哪里刷新')).toMatchObject({ isSymbol: false, symbols: [], hasMeaning: true });
});

test('a single word or a name is looked for as it is; several words have a meaning, too', () => {
  expect(readQuestion('cache').hasMeaning).toBe(false);
  expect(readQuestion('Session::config').hasMeaning).toBe(false);
  expect(readQuestion('cache eviction').hasMeaning).toBe(true);
});
