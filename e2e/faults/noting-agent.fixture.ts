import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** What a prompt asks the counting agent for, as JSON. */
export interface CountingPrompt {
  blocks: number;
  everyMs: number;
  /** It asks for an approval before this block. */
  askBefore?: number;
}

/** A line of the agent's own notes. `run` is the process it was. */
export type AgentNote = { run: number } & (
  | { said: number }
  | { prompt: string }
  | { steer: string }
  | { answer: string; reply: { type: string; optionId?: string } }
);

/**
 * An agent that counts: every block says the name of its folder and the next number, and goes on counting when it is
 * started again. Some blocks come whole, some in pieces at once, some in pieces with time between them. What it is about
 * to say and what it was told is noted in its folder first, so that it is known for certain, whatever becomes of the
 * process. It has a child, and neither goes by itself when nobody listens any more.
 */
export const NOTING_AGENT = `
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const NOTES = 'notes.jsonl';
const name = basename(process.cwd());
const note = (line) => appendFileSync(NOTES, JSON.stringify({ run: process.pid, ...line }) + '\\n');
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const before = existsSync(NOTES) ? readFileSync(NOTES, 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
let count = Math.max(0, ...before.map((line) => line.said ?? 0));
const answers = new Map();

let saying = Promise.resolve();
const sayNext = () => (saying = saying.then(sayBlock));

async function sayBlock() {
  count += 1;
  note({ said: count });
  const text = name + '-' + count;
  const place = { messageId: 'm' + Math.ceil(count / 5), role: 'assistant', blockId: 'b' + count };
  if (count % 3 !== 0) say({ type: 'block-start', ...place, block: { type: 'text', text: '' } });
  if (count % 3 !== 0)
    for (const delta of text.match(/.{1,3}/g)) {
      say({ type: 'block-delta', blockId: place.blockId, delta });
      if (count % 3 === 1) await delay(8);
    }
  say({ type: 'block-stop', ...place, block: { type: 'text', text } });
}

const handlers = {
  start() {
    say({ type: 'ready', capabilities: { resume: true, steer: true, approvals: true } });
    say({ type: 'agent-updated', agentSessionId: name });
  },
  async prompt({ id, content }) {
    note({ prompt: id });
    const { blocks, everyMs, askBefore } = JSON.parse(content[0].text);
    for (let block = 1; block <= blocks; block++) {
      if (block === askBefore) {
        const approvalId = 'ask-' + id;
        const options = [{ id: 'yes', name: 'Yes', kind: 'allow_once' }, { id: 'no', name: 'No', kind: 'reject_once' }];
        const answered = new Promise((resolve) => answers.set(approvalId, resolve));
        say({ type: 'approval-asked', approval: { id: approvalId, title: 'Go on counting?', options } });
        await answered;
      }
      await sayNext();
      await delay(everyMs);
    }
    await saying;
    say({ type: 'turn-finished' });
  },
  steer({ id }) {
    note({ steer: id });
    sayNext();
  },
  answer({ approvalId, reply }) {
    note({ answer: approvalId, reply });
    answers.get(approvalId)?.();
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  void handlers[message.type]?.(message);
});
process.stdout.on('error', () => {});
setInterval(() => {}, 1000);
spawn('/bin/sh', ['-c', 'sleep 3600; :', process.argv[1]], { stdio: 'ignore' });
`;

/** What the agent of a folder noted, of all its runs. */
export function agentNotes(folder: string): AgentNote[] {
  const file = join(folder, 'notes.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AgentNote);
}

/** What a block of that number says. */
export function countedText(folder: string, number: number): string {
  return `${basename(folder)}-${number}`;
}
