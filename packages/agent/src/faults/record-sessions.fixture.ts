import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DragomanError, type LoggedEvent, type ModelCall, type ModelEvent } from '@dragoman/protocol';
import { openStore } from '@dragoman/server';
import { z } from 'zod';
import type { AgentModel } from '../agent-model.ts';
import { agentMigrations } from '../agent-migrations.ts';
import { agentConfigShape } from '../config/agent-config-shape.ts';
import { type Agent, openAgent } from '../open-agent.ts';
import { calls, fails, says, scriptedModel, type ScriptedStep } from '../scripted-model.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';
import type { SessionRunner } from '../session/session-runner.ts';

// Run as a program: plays sessions with the whole agent on real files, and writes their logs and last states to recordings/.
// The events are as they happened, each delta for itself. Places of this machine are replaced.

interface Scene {
  name: string;
  answers: ScriptedStep[];
  model?: Partial<AgentModel>;
  play?: (runner: SessionRunner, agent: Agent) => Promise<void>;
}

const usage = { inputTokens: 1_200, outputTokens: 80, reasoningTokens: 30, cacheReadTokens: 1_000 };
const inPieces = (kind: 'text' | 'reasoning', id: string, text: string): ModelEvent[] =>
  text.split(/(?<= )/).map((delta): ModelEvent => ({ type: `${kind as 'text'}-delta`, id, delta }));
const isSummaryCall = ({ tools }: ModelCall) => tools.length === 0;
const page = (number: number): ModelEvent[] => [
  ...calls(['read', { filePath: 'book.txt', offset: number * 100 + 1, limit: 100 }]).slice(0, -1),
  { type: 'finish', finishReason: 'tool-calls' },
];
let pages = 0;

const SCENES: Scene[] = [
  {
    name: 'thinking-and-text-interleaved',
    answers: [
      [
        { type: 'reasoning-start', id: '0' },
        ...inPieces('reasoning', '0', 'The user greets me, so '),
        { type: 'text-start', id: '1' },
        ...inPieces('text', '1', 'Hello! '),
        ...inPieces('reasoning', '0', 'I greet back.'),
        { type: 'reasoning-start', id: '2' },
        ...inPieces('text', '1', 'What can I do for you? 👋🏽 你好'),
        { type: 'reasoning-end', id: '0', providerMetadata: { anthropic: { signature: 'c2ln' } } },
        ...inPieces('reasoning', '2', 'That is all.'),
        { type: 'text-end', id: '1' },
        { type: 'reasoning-end', id: '2', providerMetadata: { anthropic: { redactedData: 'eHh4' } } },
        { type: 'finish', finishReason: 'stop', usage: { ...usage, cost: 0.0021 } },
      ],
    ],
  },
  {
    name: 'files-changed-and-taken-back',
    answers: [
      calls(['read', { filePath: 'a.txt' }], ['glob', { pattern: '*.txt' }]),
      calls(
        ['edit', { filePath: 'a.txt', oldString: 'one', newString: 'two' }],
        ['write', { filePath: 'b.txt', content: 'new\n' }],
        ['todo-write', { todos: [{ content: 'change a.txt', status: 'completed' }] }],
      ),
      says('Both are changed.'),
      says('All right.'),
    ],
    async play(runner, agent) {
      const messageID = await runner.prompt({ text: 'change it' });
      await runner.idle();
      await agent.revert(runner, messageID);
      await agent.unrevert(runner);
      await agent.revert(runner, messageID);
      await runner.prompt({ text: 'leave it as it is' });
      await runner.idle();
    },
  },
  {
    name: 'calls-of-every-outcome',
    answers: [
      calls(
        ['read', { filePath: 'a.txt' }],
        ['read', { filePath: 'missing.txt' }],
        ['write', { filePath: 'allowed.txt', content: 'x' }],
        ['write', { filePath: 'rejected.txt', content: 'x' }],
        ['nosuch', {}],
        ['read', '{"filePath":'],
        ['grep', { pattern: 5 }],
        ['todo-read', {}],
      ),
      calls(['read', { filePath: 'a.txt' }]),
      calls(['read', { filePath: 'a.txt' }]),
      calls(['read', { filePath: 'a.txt' }]),
    ],
  },
  {
    name: 'tried-again',
    answers: [
      fails(new DragomanError('rate-limited', 'Too many requests.', { isRetryable: true, retryAfterMs: 1 }), [
        { type: 'reasoning-start', id: 'r' },
        ...inPieces('reasoning', 'r', 'half a thought'),
        { type: 'tool-input-start', id: 'c', toolName: 'read' },
        { type: 'tool-input-delta', id: 'c', delta: '{"fileP' },
      ]),
      fails(new DragomanError('unavailable', 'Overloaded.', { isRetryable: true })),
      says('Now it works.'),
    ],
  },
  {
    name: 'steered-and-queued',
    answers: [calls(['glob', { pattern: '*' }]), says('First and second.'), says('Third.')],
    async play(runner) {
      await runner.prompt({ text: 'first' });
      await runner.prompt({ text: 'second', delivery: 'steer' });
      await runner.prompt({
        text: 'third',
        parts: [{ type: 'file', mime: 'text/plain', filename: 'n.txt', url: 'data:text/plain,n' }],
      });
      runner.withdraw(await runner.prompt({ text: 'never mind' }));
      await runner.idle();
    },
  },
  {
    name: 'shortened',
    model: { contextTokens: 6_000, maxOutputTokens: 500 },
    answers: [
      (call) =>
        isSummaryCall(call) ? says('## Goal\nRead the book.') : pages++ < 5 ? page(pages) : says('It is read.'),
    ],
  },
  {
    name: 'called-off',
    answers: [
      [
        { type: 'text-start', id: 't' },
        ...inPieces('text', 't', 'I wait for it.'),
        ...calls(['wait', {}], ['read', { filePath: 'a.txt' }]),
      ],
    ],
    async play(runner) {
      const isRunning = new Promise<void>((resolve) =>
        runner.subscribe({
          event: ({ event }) => {
            if (event.type === 'tool-state' && event.state.status === 'running') resolve();
          },
        }),
      );
      await runner.prompt({ text: 'wait for it' });
      await isRunning;
      await runner.abort();
    },
  },
  {
    name: 'task-given-away',
    answers: [
      (call) => {
        const text = JSON.stringify(call.prompt);
        if (!text.includes('find the door')) return says('It is in the north.');
        return text.includes('tool-result')
          ? says('North.')
          : calls(['task', { description: 'find it', prompt: 'look for the entrance', agent: 'explore' }]);
      },
    ],
  },
];

const config = z.strictObject(agentConfigShape).parse({
  agent: { retry: { firstDelayMs: 1, maxDelayMs: 1 }, titles: { auto: false } },
  permissions: { edit: 'ask' },
});

async function record({ name, answers, model: given = {}, play }: Scene): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-recording-'));
  const root = join(folder, 'project');
  mkdirSync(join(root, '.dragoman'), { recursive: true });
  writeFileSync(join(root, 'a.txt'), 'one\n');
  writeFileSync(
    join(root, 'book.txt'),
    Array.from({ length: 1_000 }, (_, line) => `Line ${line} of a book.`).join('\n'),
  );
  const store = await openStore(
    { databaseFile: join(folder, 'd.sqlite'), databaseUrl: undefined },
    { rooms: [agentMigrations] },
  );
  const model = { ...scriptedModel(answers, given), price: { input: 3, output: 15 } };
  const agent = openAgent({
    store,
    folder: join(folder, 'data'),
    home: join(folder, 'home'),
    config: () => config,
    openModel: () => model,
    mode: 'interactive',
    approver: async ({ input }) =>
      JSON.stringify(input).includes('rejected')
        ? { decision: 'reject', feedback: 'not this one' }
        : { decision: 'once' },
    log: { debug() {}, info() {}, warn() {} },
  });
  (await agent.workplace(root)).registry.register({
    id: 'wait',
    description: 'Waits.',
    parameters: z.object({}),
    execute: async (_input: object, { abort }) => wait(60_000, { title: '', output: '' }, { signal: abort }),
  });
  const runner = await agent.create({ cwd: root });
  const events: LoggedEvent[] = await new SessionStore(store).read(runner.id);
  runner.subscribe({ event: (logged) => events.push(logged) });
  if (play !== undefined) await play(runner, agent);
  else {
    await runner.prompt({ text: name === 'task-given-away' ? 'find the door' : 'go' });
    await runner.idle();
  }
  save(name, folder, events, runner.state);
  if (name === 'called-off') await recordDeath(folder, store, runner);
  await agent.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

/** The same session as a process leaves it that dies in the middle, and the next one finds it. */
async function recordDeath(folder: string, store: Parameters<typeof openAgent>[0]['store'], runner: SessionRunner) {
  const sessions = new SessionStore(store);
  const { messages } = runner.state;
  const { info } = messages.at(-1)!;
  runner.session.append({ type: 'turn-started', turnID: 'trn_dead', messageID: messages[0]!.info.id });
  if (info.role === 'assistant')
    runner.session.append({
      type: 'start-step',
      partID: 'prt_s',
      info: { ...info, id: 'msg_dead', time: { created: info.time.created } },
    });
  const of = { messageID: 'msg_dead' };
  runner.session.append({ type: 'text-start', ...of, partID: 'prt_t' });
  runner.session.append({ type: 'text-delta', ...of, partID: 'prt_t', delta: 'I was just' });
  runner.session.append({ type: 'tool-input-start', ...of, partID: 'prt_c', callID: 'call_dead', tool: 'bash' });
  await runner.session.stored();
  const { state } = await Session.open(sessions, runner.id);
  save('found-after-a-kill', folder, await sessions.read(runner.id), state);
}

function save(name: string, folder: string, events: readonly LoggedEvent[], state: object): void {
  const clean = (value: object) =>
    JSON.stringify(value, (key, inner: unknown) =>
      key === 'system' && typeof inner === 'string' ? 'You are a coding agent.' : inner,
    )
      .replaceAll(join(folder, 'project'), '/project')
      .replaceAll(folder, '/data');
  const file = fileURLToPath(new URL(`recordings/${name}`, import.meta.url));
  writeFileSync(`${file}.jsonl`, events.map((logged) => `${clean(logged)}\n`).join(''));
  writeFileSync(`${file}.state.jsonl`, `${clean(state)}\n`);
  console.log(name, events.length);
}

for (const scene of SCENES) await record(scene);
process.exit();
