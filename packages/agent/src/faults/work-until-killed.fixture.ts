import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ModelCall, ModelSink } from '@dragoman/protocol';
import { openStore, type StoreLocation } from '@dragoman/server';
import { z } from 'zod';
import { agentMigrations } from '../agent-migrations.ts';
import { agentConfigShape } from '../config/agent-config-shape.ts';
import { openAgent } from '../open-agent.ts';

// Run as a program: works on a session with prompts that never end, and prints what it was told is stored, until it is killed.
const { location, folder, root, sessionID } = JSON.parse(process.argv[2]!) as {
  location: StoreLocation;
  folder: string;
  root: string;
  /** Without one a session is begun. */
  sessionID?: string;
};
const say = (line: string) => void writeSync(1, `${line}\n`);

let answers = 0;

/** Thinks, speaks, writes todos, runs a slow tool, gives a task away; in small pieces, with pauses that timers see. */
async function answer({ prompt, tools }: ModelCall, sink: ModelSink, signal: AbortSignal): Promise<void> {
  const number = ++answers;
  await tell(sink, 'reasoning', `thinking about ${prompt.length} messages, for the ${number}th time`, signal);
  await tell(
    sink,
    'text',
    `this is answer ${number}, said in many small pieces so that it can be cut anywhere`,
    signal,
  );
  const canAct = tools.some(({ name }) => name === 'slow');
  if (!canAct || number % 3 === 0) return sink.push({ type: 'finish', finishReason: 'stop', usage });
  call(sink, `a${number}-${process.pid}`, 'todo-write', {
    todos: [{ content: `step ${number}`, status: 'in_progress' }],
  });
  call(sink, `b${number}-${process.pid}`, 'slow', { ms: number % 7 });
  call(sink, `c${number}-${process.pid}`, 'slow', { ms: 1 });
  if (number % 4 === 0)
    call(sink, `d${number}-${process.pid}`, 'task', {
      description: 'look',
      prompt: `look at ${number}`,
      agent: 'explore',
    });
  sink.push({ type: 'finish', finishReason: 'tool-calls', usage });
}

const usage = { inputTokens: 100, outputTokens: 20 };

async function tell(sink: ModelSink, kind: 'text' | 'reasoning', text: string, signal: AbortSignal): Promise<void> {
  sink.push({ type: `${kind}-start`, id: kind });
  for (const [index, delta] of text.split(/(?<= )/).entries()) {
    sink.push({ type: `${kind}-delta`, id: kind, delta });
    if (index % 4 === 3) await wait(1, undefined, { signal });
  }
  sink.push({ type: `${kind}-end`, id: kind });
}

function call(sink: ModelSink, id: string, toolName: string, input: object): void {
  sink.push({ type: 'tool-input-start', id, toolName });
  for (const delta of JSON.stringify(input).split(/(?<=,)/)) sink.push({ type: 'tool-input-delta', id, delta });
  sink.push({ type: 'tool-input-end', id });
}

const config = z.strictObject(agentConfigShape).parse({ agent: { snapshots: false, titles: { auto: false } } });
const agent = openAgent({
  store: await openStore(location, { rooms: [agentMigrations] }),
  folder,
  home: folder,
  config: () => config,
  openModel: () => ({
    providerID: 'test',
    modelID: 'chatty',
    contextTokens: 200_000,
    maxOutputTokens: 4_096,
    model: { stream: answer },
  }),
  mode: 'yes',
  log: { debug() {}, info() {}, warn: (fields, message) => say(`warning ${message} ${JSON.stringify(fields)}`) },
});
const { registry } = await agent.workplace(root);
registry.register({
  id: 'slow',
  description: 'Takes a little time.',
  parameters: z.object({ ms: z.number() }),
  isReadOnly: true,
  async execute({ ms }: { ms: number }, { abort, metadata }) {
    metadata({ title: 'half way' });
    await wait(ms, undefined, { signal: abort });
    return { title: 'slow', output: `took ${ms} ms, ${answers}` };
  },
});
const runner = sessionID === undefined ? await agent.create({ cwd: root }) : await agent.open(sessionID);
runner.subscribe({ stored: (events) => say(`stored ${events.at(-1)!.seq}`) });
say(`session ${runner.id} ${runner.state.seq}`);
for (let prompt = 0; ; prompt++) {
  const delivery = prompt % 3 === 0 ? 'steer' : 'queue';
  say(`admitted ${await runner.prompt({ text: `prompt ${prompt}`, delivery })}`);
  while (runner.state.queue.length > 2) await wait(2);
}
