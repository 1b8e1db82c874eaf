import type { AgentOffer, HubRunner, HubSession } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { recentCombinations } from './recent-combinations.ts';
import { fillIn, type SessionDraft, startOf } from './session-draft.ts';

const EMPTY: SessionDraft = { prompt: '' };
const USUAL = { model: '', mode: '' };

function agent(name: string, more: Partial<AgentOffer> = {}): AgentOffer {
  return { name, backend: name, capabilities: {}, ...more };
}

function runner(id: string, agents: AgentOffer[]): HubRunner {
  return { id, agents } as HubRunner;
}

function session(agentName: string, runnerId: string, folder: string, createdAt: number): HubSession {
  return { agent: agentName, runnerId, folder, createdAt } as HubSession;
}

const SERVER = runner('run_a', [
  agent('codex', { problem: { code: 'missing', message: 'not installed' } }),
  agent('native', { capabilities: { models: true, modes: true } }),
  agent('claude'),
]);
const LAPTOP = runner('run_b', [agent('claude')]);

test('what was used lately is offered once each, the latest first, on machines that are there', () => {
  const sessions = [
    session('native', 'run_a', '/one', 1),
    session('native', 'run_a', '/two', 3),
    session('native', 'run_a', '/one', 4),
    session('claude', 'run_gone', '/one', 5),
  ];
  expect(recentCombinations(sessions, [SERVER])).toEqual([
    { agent: 'native', runnerId: 'run_a', folder: '/one' },
    { agent: 'native', runnerId: 'run_a', folder: '/two' },
  ]);
});

test('what failed before it began is not offered again', () => {
  const failed = { ...session('native', 'run_a', '/nope', 2), status: 'failed' } as HubSession;
  const stopped = { ...session('native', 'run_a', '/one', 1), status: 'failed', agentSessionId: 'a1' } as HubSession;
  expect(recentCombinations([failed, stopped], [SERVER])).toEqual([
    { agent: 'native', runnerId: 'run_a', folder: '/one' },
  ]);
});

test('without sessions the first machine and its first agent that works are likely, and the folder is for the person to say', () => {
  expect(fillIn(EMPTY, [SERVER, LAPTOP], [])).toEqual({
    ...USUAL,
    runner: SERVER,
    agent: SERVER.agents[1],
    folder: '',
  });
});

test('the latest session is likely to be repeated, but a folder never moves to another machine', () => {
  const sessions = [session('claude', 'run_b', '/home/ada', 1)];
  expect(fillIn(EMPTY, [SERVER, LAPTOP], sessions)).toEqual({
    ...USUAL,
    runner: LAPTOP,
    agent: LAPTOP.agents[0],
    folder: '/home/ada',
  });
  expect(fillIn({ ...EMPTY, runnerId: 'run_a' }, [SERVER, LAPTOP], sessions)).toEqual({
    ...USUAL,
    runner: SERVER,
    agent: SERVER.agents[2],
    folder: '',
  });
});

test('what was chosen once holds only where it still means something: its machine, its agent', () => {
  const kept = { ...EMPTY, runnerId: 'run_gone', agent: 'native', folder: '/old', model: 'm', mode: 'plan' };
  expect(fillIn(kept, [SERVER], [])).toEqual({
    runner: SERVER,
    agent: SERVER.agents[1],
    folder: '',
    model: 'm',
    mode: 'plan',
  });
  expect(fillIn({ ...kept, runnerId: 'run_b' }, [SERVER, LAPTOP], [])).toEqual({
    ...USUAL,
    runner: LAPTOP,
    agent: LAPTOP.agents[0],
    folder: '/old',
  });
});

test('what is attached goes along, with words or without', () => {
  const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const;
  const draft = { ...EMPTY, folder: '/one', prompt: '' };
  expect(startOf(draft, fillIn(draft, [SERVER], []), false, [image])).toMatchObject({
    prompt: { content: [image], channel: 'web' },
  });
});

test('a session starts with what its agent can do, and only there', () => {
  const draft = { ...EMPTY, folder: '/one ', model: 'm', mode: 'plan', worktree: true, prompt: ' hello ' };
  expect(startOf(draft, fillIn(draft, [SERVER], []), true)).toEqual({
    agent: 'native',
    runnerId: 'run_a',
    folder: '/one',
    model: 'm',
    mode: 'plan',
    worktree: true,
    prompt: { text: 'hello', channel: 'web' },
  });
  const claude = { ...draft, agent: 'claude', prompt: '' };
  expect(startOf(claude, fillIn(claude, [SERVER], []), false)).toEqual({
    agent: 'claude',
    runnerId: 'run_a',
    folder: '/one',
  });
});

test('an agent with a problem, or no folder, starts nothing', () => {
  const broken = { ...EMPTY, folder: '/one', agent: 'codex' };
  expect(startOf(broken, fillIn(broken, [SERVER], []), false)).toBe(undefined);
  expect(startOf(EMPTY, fillIn(EMPTY, [SERVER], []), false)).toBe(undefined);
});
