import type { Definition } from '../../../packages/context/src/index/definitions/definition.ts';
import { findDefinitions } from '../../../packages/context/src/index/definitions/find-definitions.ts';
import type { Language } from '../../../packages/context/src/index/definitions/language.ts';
import { pathText } from '../../../packages/context/src/index/vectors/code-vectors.ts';
import { cleanComment, isWordy } from './clean-comment.ts';
import { isTestPath } from './is-read.ts';
import { CODE_WORDS, hashOf, type Pair, type PairKind, QUERY_WORDS } from './pair.ts';
import { wordsOf } from './words-of.ts';

const HASH_COMMENTS: ReadonlySet<Language> = new Set(['python', 'ruby', 'elixir', 'bash', 'fish']);
const DASH_COMMENTS: ReadonlySet<Language> = new Set(['lua', 'haskell', 'sql']);
const TEST_TITLE =
  /\b(?:it|test|specify|should|t\.Run|describe|context|test_that)\s*\(?\s*(['"`])((?:(?!\1).){10,140})\1/;
const MADE_BY_MACHINE = /@generated|DO NOT EDIT|auto-?generated/i;
const MAX_BODY_LINES = 60;

/** A definition with the words of its code, for documentation that names it. */
export interface NamedCode {
  path: string;
  code: string[];
}

/** Everything in a file that says in words what some code does. */
export function filePairs(
  path: string,
  language: Language,
  text: string,
  named: (name: string, code: NamedCode) => void,
): Pair[] {
  if (MADE_BY_MACHINE.test(text.slice(0, 600))) return [];
  const lines = text.split(/\r?\n/);
  if (lines.length > 8000 || (lines[0]?.length ?? 0) > 2000) return [];
  const mark = HASH_COMMENTS.has(language) ? '#' : DASH_COMMENTS.has(language) ? '--' : '//';
  const file = new SourceFile(path, lines, mark, isTestPath(path));
  const definitions = findDefinitions(path, text).filter(({ kind }) => kind !== 'section');
  const documented = new Set<number>();
  for (const definition of definitions) file.addDefinition(definition, language, documented, named);
  file.addComments(new Set(definitions.map(({ line }) => line)), documented);
  if (file.isTest) file.addTests();
  file.addHead(definitions);
  return file.pairs;
}

class SourceFile {
  readonly pairs: Pair[] = [];
  readonly isTest: boolean;
  readonly #path: string;
  readonly #lines: readonly string[];
  readonly #mark: string;
  readonly #pathText: string;

  constructor(path: string, lines: readonly string[], mark: string, isTest: boolean) {
    this.#path = path;
    this.#lines = lines;
    this.#mark = mark;
    this.isTest = isTest;
    this.#pathText = pathText(path);
  }

  /** What stands above a definition or in its docstring, and what it is called. */
  addDefinition(
    { name, line, endLine }: Definition,
    language: Language,
    documented: Set<number>,
    named: (name: string, code: NamedCode) => void,
  ): void {
    const end = Math.min(endLine, line + MAX_BODY_LINES);
    const above = this.#commentAbove(line, documented);
    const inside = language === 'python' ? this.#docstring(line, end) : undefined;
    const said = inside?.said ?? above;
    const bodyFrom = inside === undefined ? line : inside.endLine + 1;
    const head = inside === undefined ? '' : this.#lines.slice(line - 1, inside.line - 1).join('\n');
    if (said !== '' && isWordy(said)) this.#put('doc', said, `${head}\n${this.#code(bodyFrom, end)}`, 6);
    if (end - line < 2) return;
    if (name.length >= 4)
      named(name, { path: this.#path, code: wordsOf(`${this.#pathText}\n${this.#code(line, end)}`, CODE_WORDS) });
    const isKept = !this.isTest || hashOf(name + this.#path) % 4 === 0;
    if (isKept && (said === '' || hashOf(name) % 2 === 0))
      this.#put('name', name.replace(/^(test_|Test)/, ''), this.#code(Math.max(bodyFrom, line + 1), end), 10, 2);
  }

  /** Comments inside of bodies, with the lines they speak of. */
  addComments(heads: ReadonlySet<number>, documented: ReadonlySet<number>): void {
    if (this.isTest) return;
    for (let at = 0; at < this.#lines.length; at++) {
      const text = this.#lines[at]!;
      if (!text.trim().startsWith(this.#mark) || indentOf(text) === 0) continue;
      let end = at;
      while (end < this.#lines.length && this.#lines[end]!.trim().startsWith(this.#mark)) end++;
      if (!heads.has(end + 1) && !documented.has(at + 1)) this.#addInline(at, end);
      at = end;
    }
  }

  #addInline(from: number, next: number): void {
    const said = cleanComment(this.#lines.slice(from, next));
    if (said === '' || !isWordy(said) || /[;{}]\s*$/.test(said)) return;
    const base = indentOf(this.#lines[next] ?? '');
    let end = next;
    while (
      end < this.#lines.length &&
      end - next < 12 &&
      this.#lines[end]!.trim() !== '' &&
      indentOf(this.#lines[end]!) >= base
    )
      end++;
    this.#put('inline', said, this.#lines.slice(next, end).join('\n'), 5, 4);
  }

  /** Titles of tests, with what they do. */
  addTests(): void {
    for (let at = 0; at < this.#lines.length; at++) {
      const title = TEST_TITLE.exec(this.#lines[at]!)?.[2];
      if (title === undefined || !isWordy(title)) continue;
      const base = indentOf(this.#lines[at]!);
      let end = at + 1;
      while (
        end < this.#lines.length &&
        end - at < 30 &&
        (this.#lines[end]!.trim() === '' || indentOf(this.#lines[end]!) > base)
      )
        end++;
      this.#put('test', title, this.#lines.slice(at + 1, end).join('\n'), 8);
    }
  }

  /** What a file says of itself at its top, with the outline of what it defines. */
  addHead(definitions: readonly Definition[]): void {
    if (this.isTest || definitions.length < 2) return;
    const first = Math.min(25, (definitions[0]?.line ?? 1) - 1);
    const from = this.#lines.findIndex((line, at) => at < first && /^\s*(\/\*|\/\/|#[^!]|--|"""|''')/.test(line));
    if (from === -1) return;
    let end = from;
    while (end < first && this.#lines[end]!.trim() !== '') end++;
    const said = cleanComment(this.#lines.slice(from, end));
    if (said === '' || !isWordy(said)) return;
    const outline = definitions.slice(0, 60).map(({ line }) => this.#lines[line - 1]!.trim().slice(0, 120));
    this.#put('head', said, outline.join('\n'), 6, 5);
  }

  #put(kind: PairKind, said: string, code: string, leastCode: number, leastQuery = 3): void {
    const query = wordsOf(said, QUERY_WORDS);
    if (query.length < leastQuery) return;
    const path = wordsOf(this.#pathText);
    const words = wordsOf(`${this.#pathText}\n${code}`, CODE_WORDS);
    if (words.length - path.length >= leastCode) this.pairs.push({ kind, path: this.#path, query, code: words });
  }

  /** The comment directly above, with decorators and attributes between allowed. */
  #commentAbove(line: number, documented: Set<number>): string {
    let at = line - 2;
    while (at >= 0 && line - at < 8 && /^\s*(@[\w.]+|#\[|\[[A-Z]\w*|template\s*<)/.test(this.#lines[at]!)) at--;
    const end = at + 1;
    const last = this.#lines[at]?.trim() ?? '';
    if (last.endsWith('*/')) while (at >= 0 && !this.#lines[at]!.trim().startsWith('/*')) at--;
    else if (last.startsWith(this.#mark)) while (at > 0 && this.#lines[at - 1]!.trim().startsWith(this.#mark)) at--;
    else if (last === '"""') {
      at--;
      while (at >= 0 && !/^\s*@(module)?doc\b/.test(this.#lines[at]!)) at--; // Elixir.
    } else return '';
    if (at < 0) return '';
    documented.add(at + 1);
    const raw = this.#lines.slice(at, end).map((text) => text.replace(/^\s*@(module)?doc\s+(~S)?"""/, ''));
    return cleanComment(raw);
  }

  #docstring(line: number, end: number): { said: string; line: number; endLine: number } | undefined {
    let at = line - 1;
    while (at < end && !/:\s*(#.*)?$/.test(this.#lines[at] ?? '')) at++;
    const from = at + 1;
    const quote = /^\s*[rbu]?("""|''')/.exec(this.#lines[from] ?? '')?.[1];
    if (quote === undefined) return undefined;
    let last = from;
    if (this.#lines[from]!.split(quote).length < 3) {
      last++;
      while (last < this.#lines.length && !this.#lines[last]!.includes(quote)) last++;
    }
    const said = cleanComment(this.#lines.slice(from, last + 1).map((text) => text.replace(/^\s*[rbu]?("""|''')/, '')));
    return { said, line: from + 1, endLine: last + 1 };
  }

  /** Lines of code without their comments, which are the other side of pairs. */
  #code(from: number, to: number): string {
    const kept: string[] = [];
    let isInBlock = false;
    for (const line of this.#lines.slice(from - 1, to)) {
      const text = line.trim();
      if (isInBlock) isInBlock = !text.includes('*/');
      else if (text.startsWith('/*')) isInBlock = !text.includes('*/');
      else if (!text.startsWith(this.#mark)) kept.push(line);
    }
    return kept.join('\n');
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
