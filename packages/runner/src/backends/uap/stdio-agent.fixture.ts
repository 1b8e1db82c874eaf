import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { SILENT_LOG } from '../../runner-log.ts';

/** What an agent does in place of what a good one does; pieces of JavaScript. */
export interface StdioAgentScript {
  /** When it was told to start; `message` is what it was told. */
  start?: string;
  /** At each prompt: `turn` is its number and `message` the prompt. What ends the turn is left out here. */
  prompt?: string;
  /** How a turn ends. */
  finish?: string;
}

const START = `say({ type: 'ready', capabilities: { resume: true, approvals: true, steer: true } },
  { type: 'agent-updated', agentSessionId: 'mine' });`;
const PROMPT = 'if (turn === 3) await untilCancelled(); else { await ask(); talk(); }';
const FINISH = `say({ type: 'turn-finished', reason: isCancelled ? 'cancelled' : 'done' });`;

/** An agent of a few lines that keeps all rules, unless it is told otherwise. */
function script({ start = START, prompt = PROMPT, finish = FINISH }: StdioAgentScript): string {
  return `
import { createInterface } from 'node:readline';
let count = 0, turn = 0, isCancelled = false;
let onCancel = () => {};
const answers = new Map();
const say = (...lines) => {
  for (const line of lines) process.stdout.write((typeof line === 'string' ? line : JSON.stringify(line)) + '\\n');
};
const id = (prefix) => prefix + process.pid + '_' + ++count;
const at = (role, name = id('b')) => ({ messageId: id('m'), role, blockId: name });
const whole = (role, block) => say({ type: 'block-stop', ...at(role), block });
const text = (...deltas) => {
  const place = at('assistant');
  say({ type: 'block-start', ...place, block: { type: 'text', text: '' } });
  for (const delta of deltas) say({ type: 'block-delta', blockId: place.blockId, delta });
  say({ type: 'block-stop', ...place, block: { type: 'text', text: deltas.join('') } });
};
const talk = () => {
  const call = id('c');
  whole('assistant', { type: 'thinking', thinking: 'hm' });
  whole('assistant', { type: 'tool_use', id: call, name: 'ls', input: { path: '.' } });
  whole('user', { type: 'tool_result', tool_use_id: call, content: 'a.ts' });
  text('There ', 'is ', 'a.ts.');
};
const ask = (options = [{ id: 'y', name: 'Yes', kind: 'allow_once' }]) => new Promise((resolve) => {
  const approval = id('a');
  answers.set(approval, resolve);
  say({ type: 'approval-asked', approval: { id: approval, title: 'May I?', options } });
});
const untilCancelled = () => new Promise((resolve) => { onCancel = resolve; text('Working ', 'on it'); });
const handlers = {
  async start(message) { ${start} },
  async prompt(message) {
    turn++;
    isCancelled = false;
    ${prompt}
    ${finish}
  },
  async cancel() { isCancelled = true; onCancel(); },
  async answer({ approvalId, reply }) { answers.get(approvalId)?.(reply); },
  async steer(message) { text('Also: ' + message.content[0].text); },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  void handlers[message.type]?.(message);
}).on('close', () => process.exit(0));
`;
}

/** How to start such an agent, for the backend that drives it. */
export function stdioAgent(overrides: StdioAgentScript = {}): AgentSetup {
  const folder = tempFolder();
  const file = join(folder, 'agent.mjs');
  writeFileSync(file, script(overrides));
  return {
    name: 'tiny',
    kind: 'uap',
    command: [process.execPath, file],
    env: {},
    options: {},
    folder: join(folder, 'data'),
    log: SILENT_LOG,
  };
}
