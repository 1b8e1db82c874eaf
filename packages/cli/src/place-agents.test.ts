import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeAgents } from './place-agents.ts';

test('a program beside the configuration, one at home and one on the PATH are each found from any folder', () => {
  const commandOf = (...command: [string, ...string[]]) =>
    placeAgents({ mine: { backend: 'text', command } }, '/etc/dragoman/dragoman.json')['mine']!.command;

  expect(commandOf('./agent.sh', './stays')).toEqual(['/etc/dragoman/agent.sh', './stays']);
  expect(commandOf('bin/agent')).toEqual(['/etc/dragoman/bin/agent']);
  expect(commandOf('~/agent')).toEqual([join(homedir(), 'agent')]);
  expect(commandOf('/opt/agent', '-v')).toEqual(['/opt/agent', '-v']);
  expect(commandOf('gemini', '--acp')).toEqual(['gemini', '--acp']);
  expect(placeAgents({ native: { backend: 'native' } }, '/x.json')).toEqual({ native: { backend: 'native' } });
});
