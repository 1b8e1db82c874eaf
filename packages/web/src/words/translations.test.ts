import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const sources = join(import.meta.dirname, '..');
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });

interface Text {
  place: string;
  en: string;
  zh: string;
}

/** Texts of both languages, side by side; functions are called with something for each parameter. */
function textsOf(place: string, en: unknown, zh: unknown): Text[] {
  if (typeof en === 'string') return [{ place, en, zh: String(zh) }];
  if (typeof en === 'function')
    return [2, 'x'].map((given) => ({ place, en: callWith(en, given), zh: callWith(zh, given) }));
  return Object.entries(en as object).flatMap(([key, value]) =>
    textsOf(`${place}.${key}`, value, (zh as Record<string, unknown>)[key]),
  );
}

function callWith(words: unknown, given: unknown): string {
  try {
    return String((words as (...all: unknown[]) => string)(given, given, given, given));
  } catch {
    return ''; // It wants something else; the other try gives it that.
  }
}

async function allTexts(): Promise<Text[]> {
  const named = files.filter((file) => file.endsWith('-words.ts') && !file.endsWith('define-words.ts'));
  expect(named.length).toBeGreaterThan(10);
  const modules = await Promise.all(
    named.map((file) => import(pathToFileURL(join(sources, file)).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module, index) =>
    Object.values(module)
      .filter(
        (value): value is { en: object; zh: object } => typeof value === 'object' && value !== null && 'zh' in value,
      )
      .flatMap(({ en, zh }) => textsOf(named[index]!, en, zh)),
  );
}

/** Names, units and codes are the same in every language; commands and addresses are nobody's words. */
const NAMES =
  /Dragoman|Augment|Claude|Codex|Cursor|Cline|Continue|OpenCode|OpenAI|Responses|Messages|Anthropic|Google|Gemini|OpenRouter|DeepSeek|Ollama|LM Studio|SDK|TypeScript|Python|curl|ACP|MCP|Base URL|URL|API key|API|HTTPS?|JSON|Markdown|SQLite|PostgreSQL|Node|Code|Git|Tokens?|bash|\bof\b|\bms\b|\bmin\b/gi;
const isCommand = (text: string) => / --?\w|:\/\/|~\//.test(text);

test('every text is there in Chinese, and is Chinese', async () => {
  const untranslated = (await allTexts()).filter(
    ({ en, zh }) => !isCommand(en) && /[A-Za-z]{2}/.test(en.replace(NAMES, '')) && !/\p{Script=Han}/u.test(zh),
  );
  expect(untranslated).toEqual([]);
});

test('no English text has Chinese in it, but for the name of the language', async () => {
  const mixed = (await allTexts()).filter(({ en }) => /\p{Script=Han}/u.test(en) && en !== '中文');
  expect(mixed).toEqual([]);
});

test('no label, title or placeholder is written where only one language can read it', () => {
  const literal =
    /\b(?:aria-label|aria-description|title|placeholder|alt|label|hint|about|confirm)="[^"/]*[A-Za-z]{2}[^"/]*"/g;
  const found = files
    .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(join(sources, file), 'utf8').matchAll(literal)].map(([text]) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});
