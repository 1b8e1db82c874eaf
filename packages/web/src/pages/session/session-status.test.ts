import { foldHubEvents, type HubEvent, type SessionView } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { contextShare, promptsOf, statusOf } from './session-status.ts';

const ada = { type: 'user', userId: 'usr_1', name: 'Ada', channel: 'web' } as const;
const prompt = (id: string, text: string): HubEvent => ({
  type: 'prompt-queued',
  prompt: { id, content: [{ type: 'text', text }], delivery: 'queue', by: ada },
});

function viewOf(...events: HubEvent[]): SessionView {
  const session = { id: 'ses_1', title: 'A lamp', agent: 'native', runnerId: 'run_1', folder: '/code', by: ada };
  const all: HubEvent[] = [{ type: 'session-created', session }, ...events];
  return foldHubEvents(
    all.map((event, index) => ({ seq: index + 1, at: 1000 + index, event })),
    undefined,
  )!;
}

const started: HubEvent[] = [prompt('p1', 'go'), { type: 'turn-started', turnId: 't1', promptId: 'p1' }];
const approval = { id: 'a1', title: 'rm', options: [] };

test('a session waits for people before it runs, and runs before it is idle', () => {
  const ready: HubEvent = { type: 'agent-state', state: 'ready' };
  const asked: HubEvent = { type: 'approval-asked', approval };
  const over: HubEvent = { type: 'turn-finished', turnId: 't1', reason: 'done' };
  expect(statusOf(viewOf(ready, ...started))).toBe('running');
  expect(statusOf(viewOf(ready, ...started, asked))).toBe('waiting');
  expect(statusOf(viewOf(ready, ...started, over))).toBe('idle');
  expect(statusOf(viewOf({ type: 'agent-state', state: 'failed' }))).toBe('failed');
});

test('a session stands as its last turn ended, until the next one begins', () => {
  const ended = (reason: 'limit' | 'failed' | 'interrupted' | 'cancelled'): HubEvent => ({
    type: 'turn-finished',
    turnId: 't1',
    reason,
  });
  const stopped: HubEvent = { type: 'agent-state', state: 'stopped' };
  expect(statusOf(viewOf(...started, ended('limit')))).toBe('failed');
  expect(statusOf(viewOf(...started, ended('failed'), stopped))).toBe('failed');
  expect(statusOf(viewOf(...started, ended('interrupted')))).toBe('interrupted');
  expect(statusOf(viewOf(...started, stopped))).toBe('interrupted');
  expect(statusOf(viewOf(...started, ended('cancelled'), stopped))).toBe('stopped');
  expect(statusOf(viewOf(...started, ended('limit'), { type: 'turn-started', turnId: 't2' }))).toBe('running');
});

test('prompts are listed with the newest first, and only those of people', () => {
  const more: HubEvent[] = [
    { type: 'turn-finished', turnId: 't1', reason: 'done' },
    prompt('p2', 'and then?'),
    { type: 'turn-started', turnId: 't2', promptId: 'p2' },
    prompt('p3', 'still waits'),
  ];
  expect(promptsOf(viewOf(...started, ...more)).map(({ id, text }) => [id, text])).toEqual([
    ['p2', 'and then?'],
    ['p1', 'go'],
  ]);
});

test('the share of the context is known only where the agent says both numbers', () => {
  expect(contextShare({ context_used: 50, context_size: 200 })).toBe(0.25);
  expect(contextShare({ context_used: 300, context_size: 200 })).toBe(1);
  expect(contextShare({ context_used: 300 })).toBeUndefined();
  expect(contextShare({ context_used: 1, context_size: 0 })).toBeUndefined();
});
