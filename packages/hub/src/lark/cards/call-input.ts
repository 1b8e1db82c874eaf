import type { ShownOf } from '@dragoman/protocol';
import { headWithin, tailWithin } from './card-limits.ts';
import type { CardWords } from './card-words.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { codeBlock, escapeMarkdown, inlineCode } from './escape-markdown.ts';
import { languageOf } from './language-of.ts';

const COMMANDS = ['command', 'cmd', 'script'];
const PATHS = ['filePath', 'file_path', 'path'];
/** What a change says better. */
const CHANGES = new Set(
  'oldString newString old_string new_string content patchText patch edits changes diff'.split(' '),
);
const MOST_FIELDS = 12;

/**
 * What a call was given, in Lark's Markdown: a command as code, everything else by its name, but for what the line of the
 * call has `said`. Only where that says nothing it is shown as it came.
 */
export function callInput(
  { block: { input }, isOpen, inputText }: Pick<ShownOf<'tool_use'>, 'block' | 'isOpen' | 'inputText'>,
  words: CardWords,
  { bytes, hasDiffs, said = '' }: { bytes: number; hasDiffs: boolean; said?: string },
): string {
  if (bytes === 0) return '';
  const fields = Object.entries(input).filter(
    ([name, value]) => value !== undefined && value !== null && value !== '' && !(hasDiffs && CHANGES.has(name)),
  );
  if (fields.length === 0) return isOpen ? soFar(inputText ?? '', Math.min(bytes, 400)) : '';
  const parts: string[] = [];
  let left = bytes;
  const add = (part: string, cost: number) => void (parts.push(part), (left -= cost));
  const command = COMMANDS.map((name) => commandIn(input[name])).find((text) => text !== undefined);
  if (command !== undefined) {
    const shown = shortened(cleanText(command.slice(0, left * 2)), left, command.length, words);
    add(codeBlock(shown, 'bash'), Buffer.byteLength(shown));
  }
  const language = languageOf(PATHS.map((name) => input[name]).find((path) => typeof path === 'string') ?? '');
  const others = fields.filter(
    ([name, value]) => (command === undefined || !COMMANDS.includes(name)) && !isIn(value, said),
  );
  // What its line says is known as well.
  let isKnown = command !== undefined || others.length < fields.length;
  for (const [name, value] of others.slice(0, MOST_FIELDS)) {
    if (left <= 60) break;
    const told = fieldOf(name, value, { left, words, language: CHANGES.has(name) ? language : '' });
    if (told === undefined) continue;
    isKnown ||= !told.isOnlyCounted;
    add(told.text, told.cost);
  }
  return isKnown ? parts.join('\n') : asItCame(input, bytes, words);
}

/** Whether the line of the call says it already. */
function isIn(value: unknown, said: string): boolean {
  return typeof value === 'string' && (value === said || said.startsWith(`${value}:`) || said.endsWith(`: ${value}`));
}

interface Told {
  text: string;
  cost: number;
  /** It says how much there is and not what. */
  isOnlyCounted: boolean;
}

function fieldOf(
  name: string,
  value: unknown,
  { left, words, language }: { left: number; words: CardWords; language: string },
): Told | undefined {
  const label = `**${escapeMarkdown(cleanLine(name, 40))}**`;
  if (typeof value === 'string' && (value.includes('\n') || value.length > 200)) {
    const shown = shortened(cleanText(value.slice(0, left * 2)), Math.min(left - 60, 1200), value.length, words);
    return {
      text: `${label}\n${codeBlock(shown, language)}`,
      cost: Buffer.byteLength(shown) + 60,
      isOnlyCounted: false,
    };
  }
  const told = shortValue(value, words);
  if (told === undefined) return undefined;
  const line = headWithin(cleanLine(told.text, 200), Math.max(20, left - 60), { isCode: true });
  const text = told.isOnlyCounted ? escapeMarkdown(line) : inlineCode(line);
  return { text: `${label}: ${text}`, cost: Buffer.byteLength(line) + 60, isOnlyCounted: told.isOnlyCounted };
}

function shortValue(value: unknown, words: CardWords): Pick<Told, 'text' | 'isOnlyCounted'> | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { text: String(value), isOnlyCounted: false };
  if (Array.isArray(value)) {
    const isPlain = value.length <= 20 && value.every((item) => typeof item === 'string' || typeof item === 'number');
    return isPlain && value.length > 0
      ? { text: value.join(', '), isOnlyCounted: false }
      : { text: words.items(value.length), isOnlyCounted: true };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  return { text: Object.keys(value).slice(0, 12).join(', '), isOnlyCounted: true };
}

function soFar(inputText: string, bytes: number): string {
  const text = cleanText(inputText.slice(-bytes)).trim();
  return text === '' ? '' : codeBlock(tailWithin(text, bytes, { isCode: true }));
}

function asItCame(input: unknown, bytes: number, words: CardWords): string {
  const json = prettyJson(input);
  if (json === undefined) return '';
  return codeBlock(shortened(cleanText(json.slice(0, bytes * 2)), bytes, json.length, words), 'json');
}

/** A value as people read it; nothing where it is deeper than the stack is high. */
export function prettyJson(value: unknown): string | undefined {
  try {
    const short = JSON.stringify(value);
    return short === undefined || short.length <= 80 || short.includes('[[[[[[[[')
      ? short
      : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

/** The beginning of code, and how much there was. */
function shortened(text: string, bytes: number, length: number, words: CardWords): string {
  const head = headWithin(text, bytes, { isCode: true });
  return head.length >= length || head === text ? head : `${head}\n${words.leftOut(String(length - head.length))}`;
}

function commandIn(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return value;
  return Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')
    ? value.join(' ')
    : undefined;
}
