import { expect, test } from 'vitest';
import { SILENT_LOG } from '../runner-log.ts';
import { AgentRegistry, type AgentSetup } from './agent-registry.ts';
import { ScriptedBackend } from './scripted-backend.fixture.ts';

const setup = (kind: string): AgentSetup => ({
  name: 'mine',
  kind,
  env: {},
  options: {},
  folder: '/nowhere',
  log: SILENT_LOG,
});

test('registering a backend is all it takes to add a kind (UAP-17) (UAP-25)', async () => {
  const registry = new AgentRegistry();
  registry.registerBackend('ollama', () => new ScriptedBackend());

  expect(await registry.create(setup('ollama'))).toBeInstanceOf(ScriptedBackend);
  expect(registry.kinds()).toEqual(['ollama']);
});

test('a kind that is not registered is refused with the list of those that are (UAP-26)', async () => {
  const registry = new AgentRegistry();
  await expect(registry.create(setup('ollama'))).rejects.toThrow(
    'there is no backend named "ollama"; none is registered',
  );

  registry.registerBackend('text', () => new ScriptedBackend());
  registry.registerBackend('acp', () => new ScriptedBackend());

  await expect(registry.create(setup('ollama'))).rejects.toThrow(
    'there is no backend named "ollama"; registered are: acp, text',
  );
});

test('a name is given once, and is a plain word', () => {
  const registry = new AgentRegistry();
  registry.registerBackend('acp', () => new ScriptedBackend());

  expect(() => registry.registerBackend('acp', () => new ScriptedBackend())).toThrow(
    'a backend named "acp" is registered already',
  );
  expect(() => registry.registerBackend('../x', () => new ScriptedBackend())).toThrow('"../x" is no name');
});
