import type { ToolPart } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import type { ApprovalRequest, Approver } from '../permissions/approval.ts';
import { testSession } from '../session/session.fixture.ts';
import { askAboutLoop } from './ask-about-loop.ts';

const loop = { tool: 'read', count: 3, period: 1 };
const part: ToolPart = {
  id: 'prt_1',
  sessionID: 'ses_1',
  messageID: 'msg_1',
  type: 'tool',
  callID: 'c1',
  tool: 'read',
  state: { status: 'pending', input: { filePath: 'a' }, raw: '' },
};
const open = new AbortController().signal;

async function ask(approver: Approver | undefined, { approvalMs = 60_000, abort = open } = {}): Promise<boolean> {
  return askAboutLoop({ session: await testSession(), approver, approvalMs })(loop, part, abort);
}

test('a person decides whether a loop goes on, and is told what it is [FR-09]', async () => {
  const asked: ApprovalRequest[] = [];
  expect(
    await ask(async (request) => {
      asked.push(request);
      return { decision: 'once' };
    }),
  ).toBe(true);
  expect(await ask(async () => ({ decision: 'reject' }))).toBe(false);
  expect(asked).toMatchObject([{ tool: 'read', title: 'read, 3 times in a row', input: { filePath: 'a' } }]);
});

test('a loop does not go on when nobody is there, nobody answers, asking fails or the turn is called off', async () => {
  const never: Approver = () => new Promise(() => {});
  expect(await ask(undefined)).toBe(false);
  expect(await ask(never, { approvalMs: 1 })).toBe(false);
  expect(
    await ask(async () => {
      throw new Error('the screen is gone');
    }),
  ).toBe(false);
  const stop = new AbortController();
  const waiting = ask(never, { abort: stop.signal });
  stop.abort();
  expect(await waiting).toBe(false);
});
