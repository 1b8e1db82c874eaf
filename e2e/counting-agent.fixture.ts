/** What a prompt asks the counting agent for, as JSON. */
export interface CountingPrompt {
  blocks: number;
  everyMs?: number;
  /** It asks for an approval before each of these. */
  askBefore?: number[];
  /** Stands before the numbers, which then begin at 1 in this turn. */
  name?: string;
}

/**
 * An agent that counts, in one block for each number, and notes in its folder what it is asked and answered. The blocks come in
 * pieces.
 */
export const COUNTING_AGENT = `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const answers = new Map();
let count = 0;
const handlers = {
  start: () => say({ type: 'ready', capabilities: { approvals: true } }),
  async prompt({ id, content }) {
    const { blocks, everyMs = 0, askBefore = [], name } = JSON.parse(content[0].text);
    appendFileSync('prompts.txt', id + '\\n');
    for (let block = 1; block <= blocks; block++) {
      if (askBefore.includes(block)) {
        const approvalId = id + '-' + block;
        const options = [{ id: 'a', name: 'A', kind: 'allow_once' }, { id: 'b', name: 'B', kind: 'allow_once' }];
        const answered = new Promise((resolve) => answers.set(approvalId, resolve));
        say({ type: 'approval-asked', approval: { id: approvalId, title: 'Go on?', options } });
        await answered;
      }
      count += 1;
      const text = name === undefined ? String(count) : name + ' ' + block;
      const place = { messageId: 'm', role: 'assistant', blockId: 'b' + count };
      say({ type: 'block-start', ...place, block: { type: 'text', text: '' } });
      say({ type: 'block-delta', blockId: place.blockId, delta: text });
      say({ type: 'block-stop', ...place, block: { type: 'text', text } });
      if (everyMs > 0) await delay(everyMs);
    }
    say({ type: 'turn-finished' });
  },
  answer({ approvalId, reply }) {
    appendFileSync('answers.txt', approvalId + ' ' + reply.optionId + '\\n');
    answers.get(approvalId)?.();
  },
};
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line);
    void handlers[message.type]?.(message);
  })
  .on('close', () => process.exit(0));
`;
