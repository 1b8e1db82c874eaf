import { setImmediate as turnOfLoop, setTimeout as pause } from 'node:timers/promises';
import type { BlockWriter } from '@dragoman/runner';

/** What the agent of this benchmark is asked to do, as the text of a prompt. */
export type Telling =
  /** An answer, a token at a time, from a moment of the machine's clock on; see `tokenAt`. */
  | { type: 'stream'; tokens: number; perSecond: number; calls: number; callMs: number; firstAt: number }
  /** Blocks one after the other, as fast as it can. */
  | { type: 'burst'; blocks: number };

/** Every so many tokens, one says its own number, so that it is known what a chat has got. */
const MARK_EVERY = 5;
const PARAGRAPH = 60;
/** English has about four characters to a token. */
const WORDS = [
  'the',
  'file',
  'is',
  'read',
  'in',
  'full',
  'and',
  'then',
  'it',
  'goes',
  'on',
  'to',
  'what',
  'was',
  'said',
];
const OUTPUT = Array.from({ length: 30 }, (_, line) => `${line + 1}: export const value${line} = read(${line});`).join(
  '\n',
);
const LONG = 'The quick brown fox jumps over the lazy dog, reads the file and says what is in it. '.repeat(3);

/** Plays what the prompt says. */
export async function tell(writer: BlockWriter, prompt: string, signal: AbortSignal): Promise<void> {
  const telling = JSON.parse(prompt) as Telling;
  if (telling.type === 'stream') await stream(writer, telling, signal);
  else await burst(writer, telling.blocks);
}

async function stream(writer: BlockWriter, telling: Extract<Telling, { type: 'stream' }>, signal: AbortSignal) {
  const { tokens } = telling;
  for (let index = 0; index < tokens; index++) {
    const made = callsBefore(telling, index);
    if (made > callsBefore(telling, index - 1)) await call(writer, made, tokenAt(telling, index), signal);
    await until(tokenAt(telling, index), signal);
    writer.text(tokenText(index));
  }
}

/** One that takes its time. */
async function call(writer: BlockWriter, number: number, endsAt: number, signal: AbortSignal): Promise<void> {
  const id = `call${process.hrtime.bigint()}`;
  const path = `src/rooms/room-${number}.ts`;
  writer.toolUse({ id, name: 'read', kind: 'read', input: { path }, title: `Read ${path}` });
  await until(endsAt, signal);
  writer.toolResult({ tool_use_id: id, content: OUTPUT });
}

async function burst(writer: BlockWriter, blocks: number): Promise<void> {
  for (let index = 0; index < blocks; index++) {
    writer.text(`${index} ${LONG}`);
    writer.closeAll();
    if (index % 20 === 19) await turnOfLoop();
  }
}

async function until(at: number, signal: AbortSignal): Promise<void> {
  const ms = at - Date.now();
  if (ms > 0) await pause(ms, undefined, { signal });
}

/** When a token is said, in ms since 1970: at a steady pace, and later by the calls that were made before it. */
export function tokenAt(telling: Extract<Telling, { type: 'stream' }>, index: number): number {
  return telling.firstAt + (index * 1_000) / telling.perSecond + callsBefore(telling, index) * telling.callMs;
}

/** Calls stand between pieces of the answer that are all as long. */
function callsBefore({ tokens, calls }: Extract<Telling, { type: 'stream' }>, index: number): number {
  return Math.max(0, Math.floor((index * (calls + 1)) / tokens));
}

/** Which tokens of an answer can be found in a text. */
export function marksIn(text: string): number[] {
  return Array.from(text.matchAll(/§(\d+)/g), ([, number]) => Number(number));
}

/** Which can be found in all of it. */
export function marksOf({ tokens }: { tokens: number }): number[] {
  return Array.from({ length: Math.ceil(tokens / MARK_EVERY) }, (_, index) => index * MARK_EVERY);
}

function tokenText(index: number): string {
  const end = index % PARAGRAPH === PARAGRAPH - 1 ? '.\n\n' : ' ';
  return index % MARK_EVERY === 0 ? `§${index} ` : `${WORDS[(index * 7) % WORDS.length]}${end}`;
}
