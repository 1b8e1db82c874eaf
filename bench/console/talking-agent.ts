import { setImmediate as turnOfLoop, setTimeout as pause } from 'node:timers/promises';
import type { BlockWriter } from '@dragoman/runner';
import { diffOf, LOOKED_AT, SAID, THOUGHT } from './long-texts.ts';

/** What the agent of the console's benchmark is asked to do, as the text of a prompt. */
export type Talk =
  /** Pieces at a steady pace, each with its number, `from` on; see `saidPiece`. */
  | { type: 'stream'; from: number; pieces: number; perSecond: number }
  /** Whole blocks of every kind, as fast as it can; the last one is a text that says `lastWord`. */
  | { type: 'conversation'; blocks: number; lastWord: string };

/** Of the pieces of a stream so many are thought, and the others said: then comes a call, or the next thought. */
const GROUP = { thought: 10, said: 90, groupsPerCall: 3 } as const;

/** Timers are not finer than this; a faster pace says several pieces at once. */
const TICK_MS = 10;

/** Plays what the prompt says. */
export async function talk(writer: BlockWriter, prompt: string, signal: AbortSignal): Promise<void> {
  const script = JSON.parse(prompt) as Talk;
  if (script.type === 'stream') await stream(writer, script, signal);
  else await conversation(writer, script);
}

async function stream(writer: BlockWriter, script: Extract<Talk, { type: 'stream' }>, signal: AbortSignal) {
  const { from, pieces, perSecond } = script;
  const begin = performance.now();
  for (let index = 0; index < pieces; index++) {
    const lateMs = performance.now() - begin - (index * 1_000) / perSecond;
    if (lateMs < 0) await pause(Math.max(-lateMs, perSecond > 1_000 / TICK_MS ? TICK_MS : 0), undefined, { signal });
    const place = index % (GROUP.thought + GROUP.said);
    if (place === 0 && index > 0) endGroup(writer, index / (GROUP.thought + GROUP.said));
    if (place < GROUP.thought) writer.thinking('I look at the next file. ');
    else writer.text(saidPiece(from + index, place - GROUP.thought));
  }
}

function endGroup(writer: BlockWriter, group: number): void {
  if (group % GROUP.groupsPerCall === 0) call(writer, `s${process.hrtime.bigint()}`, 'read');
  else writer.nextMessage();
}

/** A piece of an answer in Markdown, with its number as `n12;`, which is one text on the screen wherever it stands. */
function saidPiece(number: number, place: number): string {
  if (place < 60) return `${place % 20 === 0 ? '\n\n' : ''}n${number}; the file says `;
  if (place < 75) return `${place === 60 ? '\n\n```ts\n' : ''}// n${number}; read\n`;
  return `${place === 75 ? '```\n\n' : ''}- n${number}; **as** it \`was\`\n`;
}

async function conversation(writer: BlockWriter, { blocks, lastWord }: Extract<Talk, { type: 'conversation' }>) {
  const whole = blocks - 1;
  for (let left = whole; left > 0;) {
    const id = `c${process.hrtime.bigint()}`;
    left -= say(writer, left);
    if (left > 1) left -= call(writer, `${id}r`, 'read');
    if (left > 1) left -= call(writer, `${id}e`, 'edit');
    writer.nextMessage();
    await turnOfLoop();
  }
  writer.text(`${lastWord}\n`);
}

/** A thought and a text, or what is left of that; says how many blocks it was. */
function say(writer: BlockWriter, left: number): number {
  if (left > 1) writer.thinking(THOUGHT);
  writer.text(SAID);
  return Math.min(left, 2);
}

/** A call with what came of it: two blocks. */
function call(writer: BlockWriter, id: string, kind: 'read' | 'edit'): 2 {
  const path = `src/rooms/${id.slice(-4)}.ts`;
  writer.toolUse({ id, name: kind, kind, input: { path }, title: `${kind} ${path}` });
  if (kind === 'read') writer.toolResult({ tool_use_id: id, content: LOOKED_AT });
  else writer.toolResult({ tool_use_id: id, content: 'Changed.', diffs: [{ path, unified: diffOf(path) }] });
  return 2;
}
