import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { endOf } from './read-end.ts';
import { hubSession } from './session.fixture.ts';

const said = (seq: number): LoggedHubEvent => {
  const block = { type: 'text' as const, text: `word ${seq}` };
  const event: HubEvent = {
    type: 'block-stop',
    messageId: `msg_${seq}`,
    role: 'assistant',
    blockId: `blk_${seq}`,
    block,
  };
  return { seq, at: seq, event };
};

test('the end of a session shows its last words, and what the lists know of the rest', () => {
  const session = hubSession({
    id: 'ses_1',
    title: 'Renamed since',
    seq: 5_001,
    cwd: '/work/tree',
    inputTokens: 900,
    outputTokens: 30,
    capabilities: { fork: true },
  });
  // The end begins in the midst of a block, and with the end of a turn whose start is not there.
  const cut: LoggedHubEvent = {
    seq: 4_998,
    at: 1,
    event: { type: 'block-delta', blockId: 'blk_0', delta: '…' },
  };
  const over: LoggedHubEvent = {
    seq: 5_001,
    at: 2,
    event: { type: 'turn-finished', turnId: 'trn_1', reason: 'done' },
  };

  const view = endOf(session, [cut, said(4_999), said(5_000), over]);

  expect(view.messages.map(({ id }) => id)).toEqual(['msg_4999', 'msg_5000']);
  expect(view).toMatchObject({
    title: 'Renamed since',
    seq: 5_001,
    agentState: 'ready',
    cwd: '/work/tree',
    usage: { input_tokens: 900, output_tokens: 30 },
    capabilities: { fork: true },
  });
});

test('a turn that runs since before the end is a running turn', () => {
  const session = hubSession({ id: 'ses_1', seq: 5_000, turnId: 'trn_7', status: 'running' });
  const { turn } = endOf(session, [said(4_999), said(5_000)]);
  expect(turn).toMatchObject({ id: 'trn_7', startedAt: 4_999 });
  expect(turn?.finishedAt).toBeUndefined();
});
