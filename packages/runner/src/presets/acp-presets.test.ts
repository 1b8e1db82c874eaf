import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
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

const { probe } = (() => {
  const registry = new AgentRegistry();
  registerAcp(registry);
  return registry.about('acp');
})();
const setup = (PATH: string, command?: string[], name = 'gemini'): AgentSetup => ({
  name,
  kind: 'acp',
  command,
  env: { PATH, FAKE_ACP: '{}', FAKE_ACP_STATE: tempFolder() },
  options: {},
  folder: '/nowhere',
  log: SILENT_LOG,
});
/** A folder with a command that does what a shell script says. */
const scriptCommand = (name: string, script: string) => {
  const folder = tempFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return folder;
};

test('a preset is offered when its command is there, and else tells how to install it', async () => {
  const registry = new AgentRegistry();
  registerAcp(registry);

  expect(await probe!(setup(fakeCommand('gemini')))).toBeUndefined();
  expect(await probe!(setup('/nowhere'))).toEqual({
    code: 'unavailable',
    message: 'Gemini CLI is not installed: "gemini" is not on the PATH of this machine',
    fix: 'npm install -g @google/gemini-cli',
  });
  expect(await registry.create(setup('/nowhere'))).toMatchObject({ capabilities: { approvals: true } });
});

test('an agent that is installed and does not come up is not offered, and what went wrong is one line', async () => {
  const broken = scriptCommand('gemini', 'echo "Error: this Node is too old" >&2\necho "Install Node 20" >&2\nexit 4');
  expect(await probe!(setup(broken))).toEqual({
    code: 'unavailable',
    message:
      'Gemini CLI does not start: (gemini --acp) exited with code 4: Error: this Node is too old Install Node 20',
  });

  const other = scriptCommand('my-agent', 'echo "{}"\necho nothing of the kind >&2\nexit 1');
  expect(await probe!(setup(other, ['my-agent', 'serve'], 'mine'))).toEqual({
    code: 'unavailable',
    message: 'mine does not start: (my-agent serve) exited with code 1: nothing of the kind',
  });
});

test('an agent that knows no --version is asked to say hello, and one that would be fetched first is not started', async () => {
  const folder = fakeCommand('my-agent');
  expect(await probe!(setup(folder, ['my-agent'], 'mine'))).toBeUndefined();

  const launcher = scriptCommand('npx', `: > ${folder}/ran`);
  expect(await probe!(setup(launcher, ['npx', 'my-agent'], 'mine'))).toBeUndefined();
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test('a program is tried again when it has changed', async () => {
  const folder = scriptCommand('gemini', 'exit 1');
  const same = setup(folder);
  expect(await probe!(same)).toMatchObject({ code: 'unavailable' });
  writeFileSync(join(folder, 'gemini'), '#!/bin/sh\nexit 0 # mended\n');
  expect(await probe!(same)).toBeUndefined();
});

test('our own agent is not offered a second time by way of a command that may be another one', () => {
  expect(ACP_PRESETS.flatMap(({ command }) => command)).not.toContain('dragoman');
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
