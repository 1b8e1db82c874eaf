import { type Pair, QUERY_WORDS } from './pair.ts';
import { wordsOf } from './words-of.ts';

const CHINESE = /(^|[/._-])(zh[-_]?(cn|hans([-_]cn)?)?|chs|cn|chinese)(?=[/._-]|$)/i;
const ENGLISH = ['en', 'en-US', 'en_US', 'en-us', 'en_us', 'en-GB', 'english', ''];
const KINDS = /\.(json|jsonc|ts|js|mjs|yaml|yml|properties|ini|toml|md|mdx|arb|xml)$/i;
const HAN = /[\u3400-\u9fff]{2,}/;

/** Whether a path may hold Chinese beside English. */
export function isTranslation(path: string): boolean {
  return (KINDS.test(path) && CHINESE.test(path)) || /zh[-_]?(CN|Hans)?.*\.(po|xlf|xliff)$/i.test(path);
}

/** The paths at which the English of a Chinese file may be. */
export function englishPaths(path: string): string[] {
  return ENGLISH.map((name) =>
    path.replace(CHINESE, (_match, before: string) => (name === '' ? '' : `${before}${name}`)),
  ).filter((other) => other !== path);
}

/** What is said in both languages: Chinese as the question, English as what it should lead to. */
export function translationPairs(path: string, text: string, english: string | undefined): Pair[] {
  const said = /\.po$/i.test(path)
    ? gettextEntries(text)
    : /\.xli?ff?$/i.test(path)
      ? xliffEntries(text)
      : english === undefined
        ? []
        : /\.mdx?$/i.test(path)
          ? alignedParagraphs(text, english)
          : alignedKeys(text, english);
  return said.flatMap(([zh, en]): Pair[] => {
    if (!HAN.test(zh) || HAN.test(en)) return [];
    const [query, code] = [wordsOf(plain(zh), QUERY_WORDS), wordsOf(plain(en), QUERY_WORDS)];
    return query.length < 1 || code.length < 1 ? [] : [{ kind: 'both', path, query, code }];
  });
}

function plain(text: string): string {
  return text
    .replaceAll(/\{\{?[^}]*\}?\}|%\(?\w*\)?[sd]|\$\w+|<[^>]*>|https?:\/\/\S+|\\[nt"']/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}

/** Entries of two files of the same shape by their keys, nested by indentation or braces. */
function alignedKeys(zh: string, en: string): [string, string][] {
  const [one, other] = [entriesOf(zh), entriesOf(en)];
  return [...one].flatMap(([key, text]) => {
    const translated = other.get(key);
    return translated === undefined ? [] : [[text, translated] as [string, string]];
  });
}

function entriesOf(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  const above: { indent: number; key: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const match = /^(\s*)['"]?([\w.$ /-]{1,80}?)['"]?\s*[:=]\s*(.*?),?\s*$/.exec(line);
    if (match === null) continue;
    const [, space, key, rest] = match;
    while (above.length > 0 && above.at(-1)!.indent >= space!.length) above.pop();
    const value = unescaped(rest!.replace(/^(['"`])(.*)\1$/s, '$2'));
    if (/^[{[]?$|^=>|^\(/.test(rest!)) above.push({ indent: space!.length, key: key! });
    else entries.set([...above.map((one) => one.key), key].join('\n'), value);
  }
  return entries;
}

/** Java properties may write characters as numbers. */
function unescaped(text: string): string {
  return text.replaceAll(/\\u([0-9a-f]{4})/gi, (_match, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Paragraphs of two documents that have the same shape. */
function alignedParagraphs(zh: string, en: string): [string, string][] {
  const shape = (text: string) =>
    text
      .split(/\r?\n\s*\r?\n/)
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) => ({ text: one, kind: /^(#+|```|\||[-*] |\d+\. |<|---)/.exec(one)?.[1] ?? 'text' }));
  const [one, other] = [shape(zh), shape(en)];
  if (one.length !== other.length) return [];
  return one.flatMap(({ text, kind }, index): [string, string][] => {
    const match = other[index]!;
    if (match.kind !== kind || kind === '```' || kind === '---') return [];
    const [rows, otherRows] = [text.split('\n'), match.text.split('\n')];
    // Tables and lists say one thing in each line.
    if (kind !== 'text' && rows.length === otherRows.length && rows.length > 1)
      return rows.map((row, at) => [row, otherRows[at]!]);
    return text.length > 600 ? [] : [[text, match.text]];
  });
}

function gettextEntries(text: string): [string, string][] {
  const quoted = (block: string, name: string) =>
    new RegExp(`^${name}((?:\\s*"(?:[^"\\\\]|\\\\.)*"\\s*)+)`, 'm')
      .exec(block)?.[1]
      ?.match(/"((?:[^"\\]|\\.)*)"/g)
      ?.map((part) => part.slice(1, -1))
      .join('') ?? '';
  return text.split(/\r?\n\s*\r?\n/).flatMap((block): [string, string][] => {
    const [en, zh] = [quoted(block, 'msgid'), quoted(block, 'msgstr(?:\\[0\\])?')];
    return en === '' || zh === '' ? [] : [[zh, en]];
  });
}

function xliffEntries(text: string): [string, string][] {
  return Array.from(
    text.matchAll(/<source[^>]*>([^<]*)<\/source>\s*<target[^>]*>([^<]*)<\/target>/g),
    ([, en, zh]): [string, string] => [zh!, en!],
  );
}
