import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk';
import { type ScriptedAnswer, startDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { codeBase } from '../code-base.fixture.ts';

/** The program in front of the official client, as an editor would start it. */
async function connect(config: object = {}) {
  const home = tempFolder();
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify(config));
  const started = startDragoman(['acp'], { home, cwd: tempFolder() });
  const { stdin, stdout } = started.process;
  const updates: SessionUpdate[] = [];
  const watchers = new Set<() => void>();
  const connection = client({ name: 'test' })
    .onNotification('session/update', ({ params }) => {
      updates.push(params.update);
      for (const look of watchers) look();
    })
    .onRequest('session/request_permission', () => ({ outcome: { outcome: 'selected', optionId: 'once' } }))
    .connect(
      ndJsonStream(
        Writable.toWeb(stdin!) as WritableStream<Uint8Array>,
        Readable.toWeb(stdout!) as ReadableStream<Uint8Array>,
      ),
    );
  await connection.agent.request('initialize', { protocolVersion: 1 });
  return {
    ...started,
    agent: connection.agent,
    updates,
    connection,
    /** Waits for text that a call shows. */
    shown: (pattern: RegExp) =>
      new Promise<string>((resolve) => {
        const look = () => {
          const texts = updates.map((update) => ('content' in update ? JSON.stringify(update.content) : ''));
          const found = texts.map((text) => pattern.exec(text)?.[1]).find((text) => text !== undefined);
          if (found === undefined) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
  };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** An answer of a service that speaks OpenAI's Chat Completions: a call of one tool. */
function callOf(name: string, input: object): ScriptedAnswer {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
  const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }] })}\n\n`;
  return {
    body: [
      chunk({ delta: { role: 'assistant', tool_calls: [call] } }),
      chunk({ delta: {}, finish_reason: 'tool_calls' }),
      'data: [DONE]\n\n',
    ],
  };
}

test('an editor without a key gets a real answer about the folder, and nothing but the protocol on standard output', async () => {
  const tools = tempFolder();
  mkdirSync(tools, { recursive: true });
  writeFileSync(
    join(tools, 'loud.js'),
    `console.log('loaded, and loud');
     export default { description: 'Says nothing.', parameters: { type: 'object' }, execute: () => 'nothing' };`,
  );
  const {
    agent,
    updates,
    connection,
    process: child,
    finished,
  } = await connect({ agent: { tools: { folders: [tools] } } });

  const { sessionId, configOptions } = await agent.request('session/new', { cwd: codeBase(), mcpServers: [] });
  expect(configOptions).toMatchObject([
    { currentValue: 'build' },
    { currentValue: expect.stringContaining('offline') as string },
  ]);
  const prompt = [{ type: 'text' as const, text: 'How often is a failed call retried?' }];
  expect(await agent.request('session/prompt', { sessionId, prompt })).toEqual({ stopReason: 'end_turn' });

  const said = updates.map((update) =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : '',
  );
  expect(said.join('')).toContain('src/retry.ts');
  connection.close();
  child.stdin!.end();
  const { exitCode, stdout, stderr } = await finished;
  expect(exitCode).toBe(0);
  expect(stderr).toContain('loaded, and loud');
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test.each(['closes its pipes', 'sends SIGTERM'])(
  'when the editor %s, a command that runs ends with the program',
  async (how) => {
    const provider = await startFakeProvider();
    provider.answer(callOf('bash', { command: 'echo pid $$; exec sleep 1000' }));
    const {
      agent,
      process: child,
      finished,
      shown,
    } = await connect({
      providers: { fake: { type: 'openai-chat', baseUrl: provider.url, apiKey: 'k', models: ['m'] } },
      agent: { model: 'fake/m' },
    });
    const { sessionId } = await agent.request('session/new', { cwd: tempFolder(), mcpServers: [] });
    const answered = agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Wait.' }] });
    answered.catch(() => {});
    const pid = Number(await shown(/pid (\d+)/));
    expect(isRunning(pid)).toBe(true);

    if (how === 'sends SIGTERM') child.kill('SIGTERM');
    else {
      child.stdout!.destroy();
      child.stdin!.destroy();
    }

    expect((await finished).exitCode).toBe(0);
    expect(isRunning(pid)).toBe(false);
  },
);
