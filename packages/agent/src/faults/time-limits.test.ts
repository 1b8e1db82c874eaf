import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ModelEvent, ToolPart } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agentConfig, testAgent } from '../open-agent.fixture.ts';
import { calls, says, scriptedModel } from '../scripted-model.fixture.ts';
import { testStore } from '../session/session.fixture.ts';
import { SessionStore } from '../session/session-store.ts';
import type { SessionRunner } from '../session/session-runner.ts';
import { Tool } from '../tools/tool.ts';
import { scriptSettings } from './scripted-turns.fixture.ts';
import { expectSettled } from './well-formed.fixture.ts';
import { createWorking } from './working-session.fixture.ts';

const never = new Promise<never>(() => {});
const untilAborted = (signal: AbortSignal) =>
  new Promise<ModelEvent[]>((resolve) => signal.addEventListener('abort', () => resolve([]), { once: true }));

const toolStates = ({ state }: SessionRunner) =>
  state.messages
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === 'tool'))
    .map((part) => (part.state.status === 'error' ? part.state.error : part.state.status));

const deaf = Tool.define({
  id: 'deaf',
  description: 'Waits and does not obey.',
  parameters: z.object({}),
  execute: () => never,
});

test('a tool that ignores its end is left alone: the turn goes on, or ends when it is called off', async () => {
  const working = async (toolMs: number) =>
    createWorking({
      store: new SessionStore(await testStore()),
      model: scriptedModel([calls(['deaf', {}]), says('without it')]),
      tools: [deaf],
      settings: { ...scriptSettings, toolMs, graceMs: 1 },
      outputFolder: tempFolder(),
    });
  const late = await working(5);
  await late.prompt({ text: 'go' });
  expect(await late.idle()).toMatchObject({ text: 'without it', error: undefined });
  expect(toolStates(late)).toEqual(['The tool "deaf" took longer than 5 ms and was stopped.']);

  const stopped = await working(60_000);
  const isRunning = new Promise<void>((resolve) =>
    stopped.subscribe({
      event: ({ event }) => {
        if (event.type === 'tool-state') resolve();
      },
    }),
  );
  await stopped.prompt({ text: 'go' });
  await isRunning;
  await stopped.abort();
  expect(stopped.state.turn?.error?.code).toBe('aborted');
  expect(toolStates(stopped)).toEqual(['Interrupted: the turn was cancelled.']);
  expectSettled(stopped.state);
});

test('a question that nobody answers ends as a no, and the turn goes on [ACC-23]', async () => {
  const { agent, root } = await testAgent(
    scriptedModel([calls(['write', { filePath: 'a.txt', content: 'x' }]), says('not written')]),
    {
      mode: 'interactive',
      approver: () => never,
      config: () => agentConfig({ agent: { timeouts: { approvalMs: 10 } } }),
    },
  );
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'write' });

  expect(await runner.idle()).toMatchObject({ text: 'not written', error: undefined });
  expect(toolStates(runner)).toEqual([expect.stringMatching(/^Nobody answered within .* whether this may run/)]);
});

test('a question that waits ends with the turn that is called off', async () => {
  let asked: (() => void) | undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const { agent, root } = await testAgent(scriptedModel([calls(['write', { filePath: 'a.txt', content: 'x' }])]), {
    mode: 'interactive',
    approver: () => {
      asked!();
      return never;
    },
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'write' });
  await isAsked;
  await runner.abort();

  expect(toolStates(runner)).toEqual(['Interrupted: the turn was cancelled.']);
  expectSettled(runner.state);
});

test('an MCP server that never answers a call ends as an error of that call, and the turn goes on [FR-48]', async () => {
  const server = fileURLToPath(new URL('mute-mcp-server.fixture.ts', import.meta.url));
  let tries = 0;
  const model = scriptedModel([
    async ({ tools }) => {
      if (tools.every(({ name }) => name !== 'mute_wait')) {
        await wait(50); // The server takes its time to start.
        return calls(['glob', { pattern: `*${++tries}` }]);
      }
      return JSON.stringify(model.calls.at(-1)!.prompt).includes('mute_wait')
        ? says('it says nothing')
        : calls(['mute_wait', {}]);
    },
  ]);
  const { agent, root } = await testAgent(model, {
    config: () => agentConfig({ mcp: { mute: { command: [process.execPath, server] } }, mcp_timeout: 50 }),
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'go' });

  expect(await runner.idle()).toMatchObject({ text: 'it says nothing', error: undefined });
  expect(toolStates(runner).at(-1)).toMatch(/^The tool "wait" of the MCP server "mute" did not finish within 50 ms\./);
});

test('a subagent that comes to no end is stopped in time, and the one that asked goes on', async () => {
  const model = scriptedModel([
    (call, signal) => {
      const text = JSON.stringify(call.prompt);
      if (!text.includes('the parent')) return untilAborted(signal);
      return text.includes('tool-result')
        ? says('without it')
        : calls(['task', { description: 'wait', prompt: 'wait for ever', agent: 'explore' }]);
    },
  ]);
  const { agent, root } = await testAgent(model, {
    config: () => agentConfig({ agent: { timeouts: { subagentMs: 200 } } }),
  });
  const runner = await agent.create({ cwd: root });
  await runner.prompt({ text: 'you are the parent' });

  expect(await runner.idle()).toMatchObject({ text: 'without it', error: undefined });
  expectSettled(runner.state);
});

test('a model that never begins, or stops in the middle, is given up in time with what it had said', async () => {
  for (const said of [[], says('half of').slice(0, 2)]) {
    const model = scriptedModel([]);
    const { agent, root } = await testAgent(
      {
        ...model,
        model: {
          async stream(_call, sink, signal) {
            for (const event of said) sink.push(event);
            await untilAborted(signal);
          },
        },
      },
      {
        config: () =>
          agentConfig({
            agent: { timeouts: { firstEventMs: 10, idleMs: 10 }, retry: { retries: 1, firstDelayMs: 1 } },
          }),
      },
    );
    const runner = await agent.create({ cwd: root });
    await runner.prompt({ text: 'go' });

    expect(await runner.idle()).toMatchObject({
      text: said.length === 0 ? '' : 'half of',
      error: { code: 'timed-out' },
    });
    expectSettled(runner.state);
  }
});
