import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FakeProvider, openCodeEnv, type ScriptedAnswer, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import type { AgentSetup } from '../../backend/agent-registry.ts';
import { testBackend } from '../../backend/tested-backend.fixture.ts';
import { SILENT_LOG } from '../../runner-log.ts';
import { AcpBackend } from './acp-backend.ts';

test('OpenCode works offline: a tool that is asked about, a second turn, a turn called off, and another process that goes on [UAP-17, UAP-18]', async () => {
  const provider = await startFakeProvider();
  const home = tempFolder();
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  const setup = openCode(home, provider);
  const first = testBackend(new AcpBackend(setup), cwd);

  await first.backend.start(first.session);
  const opened = await first.until('agent-updated', (event) => event.agentSessionId !== undefined);
  expect(opened.capabilities).toEqual({
    resume: true,
    fork: true,
    approvals: true,
    images: true,
    files: true,
    models: true,
    modes: true,
  });
  expect(await first.until('agent-updated', (event) => event.models !== undefined)).toMatchObject({
    model: 'scripted/test-model',
    mode: 'build',
    modes: [{ id: 'build' }, { id: 'plan' }],
  });

  // A turn with a command that somebody has to allow.
  provider.answer(
    calls('bash', { command: 'echo hello > said.txt; cat said.txt', description: 'Says hello' }),
    says('It printed ', 'hello.'),
  );
  const turn = first.prompt('Say hello with a command');
  const approval = await first.asked();
  expect(approval).toMatchObject({
    title: 'echo hello > said.txt; cat said.txt',
    options: [
      { id: 'once', kind: 'allow_once' },
      { id: 'always', kind: 'allow_always' },
      { id: 'reject', kind: 'reject_once' },
    ],
    question: {
      tool: 'bash',
      subjects: [
        { kind: 'command', value: '<unreadable> echo hello > said.txt; cat said.txt </unreadable>' },
        { kind: 'command', value: 'echo hello > said.txt' },
        { kind: 'command', value: 'cat said.txt' },
      ],
    },
  });
  expect(existsSync(join(cwd, 'said.txt'))).toBe(false);
  await first.backend.answer(approval.id, { type: 'selected', optionId: 'once' });

  expect(await turn).toEqual({ reason: 'done' });
  expect(first.messages()).toMatchObject([
    {
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: approval.toolUseId,
          name: 'bash',
          kind: 'execute',
          input: { description: 'Says hello' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: approval.toolUseId, content: 'hello\n' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'It printed hello.' }] },
    { role: 'agent', content: [{ type: 'usage', input_tokens: 10, output_tokens: 5 }] },
  ]);

  // The model hears of the first turn in the second.
  const from = first.events.length;
  provider.answer(says('Nothing ', 'more.'));
  expect(await first.prompt('And now?')).toEqual({ reason: 'done' });
  expect(first.messages(from)[0]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'Nothing more.' }] });
  expect(provider.requests.at(-1)!.text).toContain('It printed hello.');

  // A turn that is called off in the middle of the answer.
  provider.answer({ body: [delta({ role: 'assistant', content: 'Working' }), new Promise(() => {})] });
  const long = first.prompt('Count to a million');
  await first.until('block-delta', (event) => event.delta === 'Working');
  await first.backend.cancel();
  expect(await long).toEqual({ reason: 'cancelled' });
  await first.backend.dispose();

  // Another process goes on with the conversation, and tells nothing of it again.
  const second = testBackend(new AcpBackend(setup), cwd);
  await second.backend.resume(second.session, opened.agentSessionId!);
  expect(second.messages()).toEqual([]);
  provider.answer(says('I remember.'));
  expect(await second.prompt('Do you remember?')).toEqual({ reason: 'done' });
  expect(second.messages()[0]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'I remember.' }] });
  expect(provider.requests.at(-1)!.text).toContain('Say hello with a command');
});

/** OpenCode with a home of its own, a model of ours, and nothing to look for on the network. */
function openCode(home: string, provider: FakeProvider): AgentSetup {
  const model = 'scripted/test-model';
  const config = {
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${provider.url}/v1`, apiKey: 'key' },
        models: { 'test-model': { name: 'Test model' } },
      },
    },
    model,
    small_model: model,
    permission: { bash: 'ask', edit: 'ask' },
    agent: { title: { disable: true } },
    autoupdate: false,
    share: 'disabled',
  };
  writeFileSync(join(home, 'opencode.json'), JSON.stringify(config));
  return {
    name: 'opencode',
    kind: 'acp',
    options: {},
    folder: home,
    log: SILENT_LOG,
    env: openCodeEnv(home),
  };
}

function calls(name: string, input: object): ScriptedAnswer {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return { body: [delta({ role: 'assistant', tool_calls: [call] }), delta({}, 'tool_calls'), usage(), DONE] };
}

function says(...pieces: string[]): ScriptedAnswer {
  return {
    body: [...pieces.map((text) => delta({ role: 'assistant', content: text })), delta({}, 'stop'), usage(), DONE],
  };
}

const DONE = 'data: [DONE]\n\n';

function delta(piece: object, reason: string | null = null): string {
  return line({ choices: [{ index: 0, delta: piece, finish_reason: reason }] });
}

function usage(): string {
  return line({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
}

function line(fields: object): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'test-model', ...fields })}\n\n`;
}
