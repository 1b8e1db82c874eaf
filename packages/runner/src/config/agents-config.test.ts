import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, Secret } from '@dragoman/server/base';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentConfig } from './agents-config.ts';
import { runnerConfigShape } from './runner-config.ts';

const schema = z.strictObject(runnerConfigShape);

/** Reads a configuration as a person writes it. */
function read(config: unknown): z.infer<typeof schema> {
  const folder = tempFolder();
  const file = join(folder, 'dragoman.json');
  writeFileSync(file, JSON.stringify(config));
  const secretsFile = join(folder, 'secrets.json');
  return loadConfig({ schema, file, isFileRequired: true, secretsFile, env: { KEY: 'secret' }, overrides: [] }).value;
}

test('without a word in the configuration, agents may work anywhere and are those that are installed', () => {
  expect(read({})).toEqual({
    agents: {},
    runner: { folders: [], maxSessions: 500, idleMinutes: 60 },
  });
});

test('an agent is any command, its environment is secret, and a kind of somebody else may have any settings', () => {
  const agents: Record<string, AgentConfig> = read({
    agents: {
      gemini: { backend: 'acp', command: ['gemini', '--acp'], env: { KEY: '{env:KEY}' } },
      mine: { backend: 'my-kind', anything: { goes: true } },
    },
  }).agents;

  expect(agents['gemini']!.env!['KEY']).toBeInstanceOf(Secret);
  expect(agents['gemini']!.env!['KEY']!.reveal()).toBe('secret');
  expect(agents['gemini']!.command).toEqual(['gemini', '--acp']);
  expect(agents['mine']).toEqual({ backend: 'my-kind', anything: { goes: true } });
});

test('a mistake in an agent of a known kind is told where it stands', () => {
  const mistake = (agent: unknown) => () => read({ agents: { mine: agent } });

  expect(mistake({ backend: 'acp', command: ['x'], modell: 'x', mode: 7 })).toThrow('agents.mine.mode');
  expect(mistake({ backend: 'acp', command: ['x'], modell: 'x' })).toThrow('did you mean "model"?');
  expect(mistake({ backend: 'acp', command: [] })).toThrow('agents.mine.command');
  expect(mistake({ command: ['x'] })).toThrow('agents.mine.backend');
  expect(mistake({ backend: 'native', command: ['x'] })).toThrow('expected one of backend, title, model, mode');
  expect(mistake({ backend: 'chat', env: {} })).toThrow('agents.mine.env');
});

test('a kind that is nothing without a program is refused without one, unless the agent is well-known', () => {
  for (const backend of ['text', 'uap', 'acp'])
    expect(() => read({ agents: { mine: { backend } } })).toThrow(
      `agents.mine.command: an agent of kind "${backend}" is a program; name it, as in "command": ["./mine"]`,
    );
  for (const backend of ['claude', 'codex', 'chat', 'native', 'my-kind'])
    expect(() => read({ agents: { mine: { backend } } })).not.toThrow();
  expect(() => read({ agents: { gemini: { backend: 'acp', model: 'flash' } } })).not.toThrow();
});

test('settings of one agent that contradict each other are told where they stand', () => {
  const text = { backend: 'text', command: ['x'] };

  expect(() => read({ agents: { mine: { ...text, run: 'process' } } })).toThrow(
    /agents\.mine\.run: a process that goes on needs "endMarker" or "promptPattern"/,
  );
  expect(() => read({ agents: { mine: { ...text, run: 'process', endMarker: '.', input: 'argument' } } })).toThrow(
    'agents.mine.input',
  );
  expect(() => read({ agents: { mine: { ...text, run: 'process', endMarker: '.' } } })).not.toThrow();
});

test('a name that no agent can have is told at its place', () => {
  expect(() => read({ agents: { 'two words': { backend: 'claude' } } })).toThrow(
    /agents\["two words"\]: a name has up to 64 letters/,
  );
});
