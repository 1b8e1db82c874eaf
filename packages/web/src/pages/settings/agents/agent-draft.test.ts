import { expect, test } from 'vitest';
import { agentDraftOf, agentMistakes, keptAgent, NEW_AGENT, triedAgent } from './agent-draft.ts';

test('an ACP agent is its command; its variables are kept as secrets and tried in the clear', () => {
  const env = [{ id: 0, name: 'KEY', value: 'k' }];
  const draft = { ...NEW_AGENT, name: 'mine', command: 'my-agent --acp "a b"', env };

  expect(agentMistakes(draft, [])).toEqual({});
  expect(triedAgent(draft)).toEqual({ backend: 'acp', command: ['my-agent', '--acp', 'a b'], env: { KEY: 'k' } });
  expect(keptAgent(draft)).toEqual({
    setting: { backend: 'acp', command: ['my-agent', '--acp', 'a b'], env: { KEY: '{secret:agents.mine.env.KEY}' } },
    secrets: { 'agents.mine.env.KEY': 'k' },
  });
});

test('a chat model has no program, a well-known agent needs no command', () => {
  const chat = {
    ...NEW_AGENT,
    kind: 'chat',
    backend: 'chat',
    name: 'talk',
    route: 'fast',
    system: 'Be brief.',
  } as const;
  const preset = { ...NEW_AGENT, kind: 'preset', backend: 'claude', name: 'claude', model: 'opus' } as const;

  expect(keptAgent(chat).setting).toEqual({ backend: 'chat', route: 'fast', system: 'Be brief.' });
  expect(keptAgent(preset).setting).toEqual({ backend: 'claude', model: 'opus' });
  expect([agentMistakes(chat, []), agentMistakes(preset, [])]).toEqual([{}, {}]);
});

test('settings without a field stay as they are when an agent is edited', () => {
  const setting = { backend: 'text', command: ['./a', 'b c'], title: 'A', rules: 'react', input: 'argument' };
  const draft = agentDraftOf('a', setting);

  expect(draft).toMatchObject({ kind: 'text', command: "./a 'b c'", input: 'argument' });
  expect(keptAgent(draft).setting).toEqual(setting);
  expect(agentDraftOf('claude', { backend: 'claude', maxTurns: 3 })).toMatchObject({
    kind: 'other',
    rest: { maxTurns: 3 },
  });
});

test('every mistake has its field', () => {
  expect(agentMistakes(NEW_AGENT, [])).toEqual({ name: 'bad', command: 'missing' });
  expect(agentMistakes({ ...NEW_AGENT, name: 'a', command: '"x' }, ['a'])).toEqual({
    name: 'taken',
    command: 'open-quote',
  });
  expect(agentMistakes({ ...NEW_AGENT, kind: 'preset' }, [])).toEqual({ preset: 'missing' });
  expect(agentMistakes({ ...NEW_AGENT, name: 'a', command: 'x', env: [{ id: 0, name: '', value: 'v' }] }, [])).toEqual({
    env: 'missing',
  });
});
