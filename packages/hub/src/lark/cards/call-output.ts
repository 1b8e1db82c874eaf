import { type Call, callKind, type ContentBlockOf, type FileDiff } from '@dragoman/protocol';
import { prettyJson } from './call-input.ts';
import { costOf, headWithin, tailWithin } from './card-limits.ts';
import type { CardWords } from './card-words.ts';
import { cleanLine, cleanOutput, cleanText } from './clean-text.ts';
import { codeBlock, inlineCode } from './escape-markdown.ts';
import { languageOf } from './language-of.ts';
import { larkMarkdown } from './markdown.ts';

/** Enough of an output to choose from; the rest is in the console. */
const MOST_READ = 60_000;

/** What came of a call, in Lark's Markdown. Of something long the beginning and the end; of what still comes, the end. */
export function callOutput(call: Pick<Call, 'use' | 'result' | 'tool'>, words: CardWords, bytes: number): string {
  const { use, result } = call;
  if (result === undefined || bytes === 0) return '';
  const kind = callKind(use.block);
  return outputText(result.block.content, words, {
    bytes,
    isLive: result.isOpen,
    isMarkdown: kind === 'task' && result.block.is_error !== true,
    language: kind === 'read' && result.block.is_error !== true ? languageOf(pathOf(use.block)) : '',
  });
}

/** The output of something, as code or, where people wrote it, as text. */
export function outputText(
  content: string,
  words: CardWords,
  how: { bytes: number; isLive: boolean; isMarkdown?: boolean; language?: string },
): string {
  const { bytes, isLive } = how;
  const read =
    content.length <= MOST_READ ? content : `${content.slice(0, MOST_READ / 2)}${content.slice(-MOST_READ / 2)}`;
  const text = cleanOutput(read).replace(/^\n+/, '').trimEnd();
  const more = content.length - read.length;
  if (text === '') return '';
  if (isLive) {
    const tail = tailWithin(text, bytes, { isCode: true });
    return codeBlock(tail.length < text.length ? `…${tail.replace(/^[^\n]*\n/, '\n')}` : tail);
  }
  if (how.isMarkdown === true)
    return more === 0 && costOf(text) <= bytes ? larkMarkdown(text) : larkMarkdown(`${headWithin(text, bytes)} …`);
  const json = more === 0 && /^[[{]/.test(text) ? asJson(text) : undefined;
  if (json !== undefined) return codeBlock(shortened(json, bytes, 0, words), 'json');
  return codeBlock(shortened(text, bytes, more, words), how.language);
}

/** A change to a file: its name, how many lines came and went, and the lines. */
export function diffText({ path, unified }: FileDiff, bytes: number, words: CardWords): string {
  const lines = cleanText(unified).split('\n');
  const isChange = (line: string, mark: string) => line.startsWith(mark) && !line.startsWith(mark.repeat(3));
  const added = lines.filter((line) => isChange(line, '+')).length;
  const removed = lines.filter((line) => isChange(line, '-')).length;
  const title = `${inlineCode(cleanLine(path, 120))} +${added} −${removed}`;
  const body = lines
    .filter((line) => !/^(?:diff |index |--- |\+\+\+ )/.test(line))
    .join('\n')
    .trimEnd();
  if (bytes === 0 || body.trim() === '') return title;
  const head = headWithin(body, bytes, { isCode: true });
  const shown = head.length < body.length ? `${head}\n${words.leftOut(String(body.length - head.length))}` : head;
  return `${title}\n${codeBlock(shown, 'diff')}`;
}

/** The file that a call is about, where it says so. */
function pathOf({ input, locations }: ContentBlockOf<'tool_use'>): string {
  const named = [input['filePath'], input['file_path'], input['path'], locations?.[0]?.path];
  return named.find((path) => typeof path === 'string') ?? '';
}

/** The beginning and the end; the end is where a program says what came of it. */
function shortened(text: string, bytes: number, more: number, words: CardWords): string {
  if (more === 0 && costOf(text, { isCode: true }) <= bytes) return text;
  const head = headWithin(text, Math.floor(bytes * 0.6), { isCode: true });
  const tail = tailWithin(text.slice(head.length), Math.floor(bytes * 0.4), { isCode: true });
  const left = text.length + more - head.length - tail.length;
  return `${head}\n${words.leftOut(String(left))}\n${tail}`;
}

function asJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? prettyJson(value) : undefined;
  } catch {
    return undefined; // Words that begin like it.
  }
}
