import { foldHubEvents, type HubEvent, type LoggedHubEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { PendingView } from './pending-view.ts';

const session = {
  id: 'ses_1',
  title: 'A test',
  agent: 'echo',
  runnerId: 'rnr_1',
  folder: '/p',
  by: { type: 'runner' },
};
const said = (number: number): HubEvent => ({
  type: 'block-stop',
  messageId: `msg_${number}`,
  role: 'assistant',
  blockId: `blk_${number}`,
  block: { type: 'text', text: `${number}` },
});
const log: LoggedHubEvent[] = [{ type: 'session-created', session } as HubEvent, said(2), said(3), said(4)].map(
  (event, index) => ({ seq: index + 1, at: index, event }),
);

test('a session that was never drawn waits until it is whole', () => {
  const pending = new PendingView(undefined);
  pending.add(log.slice(0, 2));
  expect(pending.isWhole).toBe(false);
  pending.wholeAt(3);
  expect(pending.isWhole).toBe(false);
  pending.add(log.slice(2));
  expect(pending.isWhole).toBe(true);
  expect(pending.take()).toEqual(foldHubEvents(log));
});

test('where nobody can say how long it is, it is drawn as far as it came', () => {
  const pending = new PendingView(undefined);
  pending.wholeAt(0);
  expect(pending.isWhole).toBe(false);
  pending.add(log.slice(0, 1));
  expect(pending.isWhole).toBe(true);
});

test('a session that is known goes on from where it was, and the view it had stays as it is', () => {
  const known = foldHubEvents(log.slice(0, 2))!;
  const pending = new PendingView(known);
  expect(pending.isWhole).toBe(true);
  expect(pending.take()).toBe(known);
  pending.add(log.slice(2, 3));
  expect(pending.take()).toEqual(foldHubEvents(log.slice(0, 3)));
  pending.add(log.slice(3));
  expect(pending.take()).toEqual(foldHubEvents(log));
  expect(known).toEqual(foldHubEvents(log.slice(0, 2)));
});
