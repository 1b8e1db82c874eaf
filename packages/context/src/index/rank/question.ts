import { isChinese } from '../text/is-chinese.ts';
import { splitIdentifier } from '../text/split-identifier.ts';
import { termHash } from '../text/term-hash.ts';
import { isWordChar } from '../text/term-table.ts';
import { partTerm, wholeTerm, wordTerms } from '../text/word-terms.ts';
import { synonymsOf } from './synonyms.ts';

/**
 * A word of the question, or what two neighbours, or one identifier, would be as a single name, or a word that means
 * the same. Only words say how much of a question is covered; the others make good matches better.
 */
export interface QuestionTerm {
  term: string;
  hash: number;
  kind: 'word' | 'whole' | 'pair' | 'synonym';
  /** The term it counts as: itself, or for a synonym the word it stands for. */
  as: number;
}

interface AskedSymbol {
  name: string;
  container?: string;
}

export interface Question {
  terms: QuestionTerm[];
  /** What looks like the name of something in the code. */
  symbols: AskedSymbol[];
  /** Nothing but a name was asked for. */
  isSymbol: boolean;
  /** Terms of what stands before the colon in `net: fix …`, `feat(net): …`, `[net] …`: a folder or a file, by custom. */
  scope: string[];
  /** Every word in lower case, as it was written. */
  words: string[];
  /** A question, rather than a name or a note of what was done. */
  isAsking: boolean;
  /** A note of a change, such as "fix …": what it changes is wanted. */
  isChange: boolean;
  wantsTest: boolean;
  /** Several words, or Chinese: what names do not say may be meant. A single word is a name to be found as it is. */
  hasMeaning: boolean;
  isChinese: boolean;
}

/** Bits in a number are what says which terms matched; synonyms share the bit of their word. */
const MOST_TERMS = 90;
const MOST_BITS = 30;

/** Words that carry a question but never its subject. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also an and any are as at be been before being between both but by can could did do does doing done during each
  either else etc every for from get gets given goes had has have having how i if in inside into is it its itself let like made
  make makes may me might more most must my no nor not of off on once one only onto or other our out over own per rather same
  she should so some such than that the their them then there these they this those through thus to too under until up upon us
  use used uses using via was way we were what when where whether which while who whose why will with within without works work
  working would you your happens happen implemented implementation implement implements code file files place places find show
  tell explain logic handled responsible defined`.split(/\s+/),
);

/** Words that say that something changes, and not what. */
const CHANGE_WORDS: ReadonlySet<string> = new Set(
  `fix fixes fixed fixing add adds added adding update updates updated improve improves improved improvement improvements
  avoid avoids allow allows ensure ensures correct corrects refactor refactors rename renames cleanup tidy slight slightly
  minor prevent prevents replace replaces remove removes drop drops support supports stop stops restore restores move moves
  keep keeps simplify simplifies modernize bump deprecate revert disable enable introduce respect optimize skip document
  implement instead`.split(/\s+/),
);

/** Reads a question in plain words, or the name of a symbol; `translated` are English words for its Chinese ones. */
export function readQuestion(query: string, translated: readonly string[] = []): Question {
  const words = wordsOf(query);
  const symbols = symbolsIn(query, words);
  const hasChinese = isChinese(query);
  const isName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:::|\.|#|->|\/)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?[?!]?$/u.test(
    query.trim(),
  );
  const isSymbol = isName && !hasChinese;
  const isAsking = /^(?:how|where|what|which|why|when|who)\b|怎|如何|哪|什么|吗/i.test(query.trim());
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()) || isIdentifier(word));
  const lasting = isAsking ? telling : telling.filter((word) => !CHANGE_WORDS.has(word.toLowerCase()));
  // First, because there is not room for each pair of characters.
  const asked = [
    ...translated.filter((word) => !STOP_WORDS.has(word)),
    ...([lasting, telling, words].find((some) => some.length > 0) ?? []),
  ];

  const terms = new Map<string, QuestionTerm>();
  const add = (term: string, kind: QuestionTerm['kind'], as = terms.size) => {
    if (!terms.has(term) && terms.size < (kind === 'synonym' ? MOST_TERMS : MOST_BITS))
      terms.set(term, { term, hash: termHash(term), kind, as });
  };
  for (const word of asked) for (const term of wordTerms(word)) if (!term.startsWith('=')) add(term, 'word');
  for (const word of asked) for (const term of wordTerms(word)) if (term.startsWith('=')) add(term, 'whole');
  for (const word of asked) add(wholeTerm(splitIdentifier(word)), 'whole');
  for (let at = 0; at + 1 < words.length; at++) {
    const pair = [words[at]!, words[at + 1]!];
    if (pair.every((word) => !STOP_WORDS.has(word.toLowerCase())))
      add(wholeTerm(pair.flatMap(splitIdentifier)), 'pair');
  }
  if (!isSymbol)
    for (const { term, as } of Array.from(terms.values()).filter(({ kind }) => kind === 'word'))
      for (const other of synonymsOf(term)) add(other, 'synonym', as);
  return {
    terms: [...terms.values()],
    symbols,
    isSymbol,
    scope: isAsking ? [] : scopeOf(query),
    words: asked.map((word) => word.toLowerCase()),
    isAsking,
    isChange: !isSymbol && CHANGE_WORDS.has(/^(?:[^:]{1,40}:)?\s*(\w+)/.exec(query)?.[1]?.toLowerCase() ?? ''),
    isChinese: hasChinese,
    hasMeaning: hasChinese || (!isSymbol && words.length > 1),
    wantsTest: /\b(?:tests?|testing|specs?|mocks?|fixtures?)\b/i.test(query),
  };
}

/** Kinds of change, which stand where a scope may stand. */
const CHANGE_KINDS =
  /^(?:fix|feat|feature|chore|docs?|test|tests|refactor|perf|style|build|ci|revert|bug|bugfix|cleanup|tidy-up|wip|hotfix|release|misc)$/i;

function scopeOf(query: string): string[] {
  const [, plain = '', inner = ''] =
    /^(?:\[([^\]]{1,40})\]|([\w./+ -]{1,40}?(?:\([^)]{1,40}\))?(?:, ?[\w./+-]{1,40})*)!?:)\s/.exec(query.trim()) ?? [];
  const scope = plain === '' ? inner : plain;
  if (scope.split(' ').length > 2) return [];
  const words = scope.split(/[^\p{L}\p{N}_$-]+/u).filter((word) => word !== '' && !CHANGE_KINDS.test(word));
  return [...new Set(words.flatMap(wordTerms).filter((term) => !term.startsWith('=')))];
}

function wordsOf(query: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at <= query.length; at++) {
    const isWord = at < query.length && isWordChar(query.charCodeAt(at));
    if (isWord && start < 0) start = at;
    if (!isWord && start >= 0) {
      words.push(query.slice(start, at));
      start = -1;
    }
  }
  return words;
}

/** Names with a shape that prose does not have: camelCase, snake_case, Qualified::name, `quoted`, called(). */
function symbolsIn(query: string, words: readonly string[]): AskedSymbol[] {
  const symbols = new Map<string, AskedSymbol>();
  for (const { 0: text, 1: qualified, index } of query.matchAll(
    /((?:[\p{L}_$][\p{L}\p{N}_$]*(?:::|\.|#|->|\/))+)?[\p{L}_$][\p{L}\p{N}_$]*/gu,
  )) {
    const name = qualified === undefined ? text : text.slice(qualified.length);
    const container = qualified === undefined ? undefined : /[\p{L}_$][\p{L}\p{N}_$]*(?=\W+$)/u.exec(qualified)?.[0];
    const isQuoted = /^[`'"]$/.test(query.charAt(index - 1)) || query.startsWith('()', index + text.length);
    if (container !== undefined || isIdentifier(name) || isQuoted || (words.length === 1 && !isChinese(name)))
      symbols.set(`${container ?? ''}.${name}`, { name, ...(container !== undefined && { container }) });
  }
  return [...symbols.values()];
}

function isIdentifier(word: string): boolean {
  return /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|_|\$|[a-zA-Z]\d/.test(word) && partTerm(word) !== undefined;
}
