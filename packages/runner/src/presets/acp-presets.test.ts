import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AgentRegistry, type AgentSetup } from '../backend/agent-registry.ts';
import { chunk, fakeCommand, testAcp } from '../backends/acp/acp.fixture.ts';
import { registerAcp } from '../backends/acp/register-acp.ts';
import { SILENT_LOG } from '../runner-log.ts';
import { ACP_PRESETS, findAcpPreset } from './acp-presets.ts';

test('Gemini runs as an agent by its name alone: its command is found on the PATH (a stand-in here; the real one needs an account) [UAP-21]', async () => {
  const { backend, session, run, messages, state } = testAcp({
    setup: { name: 'gemini', title: undefined, command: undefined },
    env: { PATH: `${fakeCommand('gemini')}:${process.env['PATH']}` },
  });

  await backend.start(session);
  await run([chunk('Hello from Gemini')]);

  expect(readFileSync(join(state, 'arguments'), 'utf8')).toBe('--acp\n');
  expect(messages()).toEqual([{ role: 'assistant', content: [{ type: 'text', text: 'Hello from Gemini' }] }]);
});

test('Gemini without an account says what to do on that machine [UAP-21]', async () => {
  const { backend, session } = testAcp({
    offer: { refusal: { code: -32000, message: 'Gemini API key is missing' } },
    setup: { name: 'gemini', title: undefined, command: undefined },
    env: { PATH: `${fakeCommand('gemini')}:${process.env['PATH']}` },
  });

  await expect(backend.start(session)).rejects.toMatchObject({
    code: 'unauthenticated',
    message:
      'Gemini CLI wants a login; log in on that machine with: `gemini`, and choose how to sign in; or set GEMINI_API_KEY in the environment of the runner',
  });
});

test('a preset is offered when its command is there, and else tells how to install it', async () => {
  const registry = new AgentRegistry();
  registerAcp(registry);
  const { probe } = registry.about('acp');
  const setup = (PATH: string, command?: string[]): AgentSetup => ({
    name: 'gemini',
    kind: 'acp',
    command,
    env: { PATH },
    options: {},
    folder: '/nowhere',
    log: SILENT_LOG,
  });

  expect(await probe!(setup(fakeCommand('gemini')))).toBeUndefined();
  expect(await probe!(setup('/nowhere', [process.execPath]))).toBeUndefined();
  expect(await probe!(setup('/nowhere'))).toEqual({
    code: 'unavailable',
    message: 'Gemini CLI is not installed: "gemini" is not on the PATH of this machine',
    fix: 'npm install -g @google/gemini-cli',
  });
  expect(await registry.create(setup('/nowhere'))).toMatchObject({ capabilities: { approvals: true } });
});

test('every preset has a name of its own, a command and both hints, and is found by its command too', () => {
  const names = ACP_PRESETS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['opencode', 'gemini', 'claude-acp', 'codex-acp', 'copilot', 'qwen']));
  expect(names).not.toContain('claude');
  for (const preset of ACP_PRESETS) {
    expect(preset.command.length * preset.install.length * preset.login.length).toBeGreaterThan(0);
    expect(findAcpPreset('my own', [`/usr/bin/${preset.command[0]}`, '--x'])).toBe(preset);
  }
});
