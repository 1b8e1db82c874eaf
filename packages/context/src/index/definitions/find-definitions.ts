import type { Definition } from './definition.ts';
import { type Language, languageOf } from './language.ts';
import { bash, fish } from './languages/bash.ts';
import { findInCFamily } from './languages/c-family.ts';
import { csharp } from './languages/csharp.ts';
import { dart } from './languages/dart.ts';
import { elixir } from './languages/elixir.ts';
import { go } from './languages/go.ts';
import { haskell } from './languages/haskell.ts';
import { java } from './languages/java.ts';
import { kotlin } from './languages/kotlin.ts';
import { lua } from './languages/lua.ts';
import { findInMarkdown } from './languages/markdown.ts';
import { php } from './languages/php.ts';
import { protobuf } from './languages/protobuf.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { scala } from './languages/scala.ts';
import { sql } from './languages/sql.ts';
import { swift } from './languages/swift.ts';
import { typescript } from './languages/typescript.ts';
import { findInVue } from './languages/vue.ts';
import { zig } from './languages/zig.ts';
import { matchRules } from './match-rules.ts';
import { matchStatements } from './match-statements.ts';
import type { RuleLanguage } from './rule.ts';
import { scanSource } from './scan-source.ts';
import type { StatementLanguage } from './statement.ts';

type Finder = (text: string, path: string) => Definition[];

const byRules =
  (language: RuleLanguage): Finder =>
  (text) =>
    matchRules(scanSource(text, language.lexis), language);

const byStatements =
  (language: StatementLanguage): Finder =>
  (text) =>
    matchStatements(scanSource(text, language.lexis), language);

const FINDERS: Record<Language, Finder> = {
  bash: byRules(bash),
  c: findInCFamily,
  cpp: findInCFamily,
  csharp: byStatements(csharp),
  dart: byStatements(dart),
  elixir: byRules(elixir),
  fish: byRules(fish),
  go: byRules(go),
  haskell: byRules(haskell),
  java: byStatements(java),
  kotlin: byRules(kotlin),
  lua: byRules(lua),
  markdown: findInMarkdown,
  'objective-c': findInCFamily,
  php: byRules(php),
  protobuf: byRules(protobuf),
  python: byRules(python),
  ruby: byRules(ruby),
  rust: byRules(rust),
  scala: byRules(scala),
  sql: byRules(sql),
  swift: byRules(swift),
  typescript: byRules(typescript),
  vue: findInVue,
  zig: byRules(zig),
};

/**
 * What a file defines, by line, the outer before the inner. Found by reading lines and pairing brackets, not by parsing:
 * quick, at home in many languages, at ease with broken code, and now and then wrong.
 */
export function findDefinitions(path: string, text: string): Definition[] {
  const language = languageOf(path, text.slice(0, 200));
  if (language === undefined || isMinified(text)) return [];
  // A byte order mark is no part of the first word.
  const code = text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text;
  return FINDERS[language](code, path).sort((a, b) => a.line - b.line || b.endLine - a.endLine);
}

/** Code is written in lines; what was packed by a program holds no names a person would ask for. */
function isMinified(text: string): boolean {
  if (text.length < 2000) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > 300;
}
