import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { inShort, prompt, testRunner } from '../open-runner.fixture.ts';

const CAN = { capabilities: { revert: true } };
const revert = (messageId: string) => ({ type: 'revert' as const, messageId, revertId: `rvt_${messageId}` });

test('a revert is carried out together with what is told of it, and says which files stay as they are', async () => {
  const onRevert = async () => ({ files: ['a.txt'], skipped: ['b.txt: it is ignored', 'c.txt: it is too large'] });
  const { hub, spec, seen, backends } = testRunner({ ...CAN, onRevert });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'turn-finished');

  const number = hub.command(spec('ses_1'), revert('p1'));
  expect(await seen('ses_1', 'reverted')).toEqual({
    type: 'reverted',
    messageId: 'p1',
    revertId: 'rvt_p1',
    files: ['a.txt'],
  });

  await seen('ses_1', 'block-stop', ({ block }) => block.type === 'notice');
  expect(inShort(hub.events('ses_1')).slice(-2)).toEqual([
    'reverted p1 a.txt',
    'stop notice Some files were not restored. b.txt: it is ignored; c.txt: it is too large',
  ]);
  const place = hub.records.findIndex((record) => 'event' in record && record.event.type === 'reverted');
  expect(hub.records[place + 1]).toEqual({ handled: number });
  expect(backends[0]!.calls).toContain('revert p1');
});

test('an agent that was ended is started for it, and a prompt that comes meanwhile waits', async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const onRevert = async () => {
    await goOn;
    return { files: [] };
  };
  const { hub, spec, seen, backends } = testRunner({ ...CAN, onRevert });
  hub.command(spec('ses_1', { agentSessionId: 'own', cwd: '/x' }), revert('p1'));
  await hub.until(() => backends[0]?.calls.includes('revert p1') === true);
  const number = hub.command(spec('ses_1'), prompt('p2'));
  hub.command(spec('ses_1'), revert('p0'));
  expect(await seen('ses_1', 'revert-failed')).toMatchObject({
    messageId: 'p0',
    error: { code: 'conflict', message: 'The agent is running. Stop it before reverting.' },
  });
  await hub.until(() => hub.handled >= number);
  expect(backends[0]!.calls).toEqual(['resume own', 'revert p1']);
  resolve();
  await seen('ses_1', 'turn-finished');
  expect(backends[0]!.calls).toEqual(['resume own', 'revert p1', 'prompt p2']);
  expect(inShort(hub.events('ses_1')).filter((line) => /revert|turn/.test(line))).toEqual([
    expect.stringMatching(/^not reverted p0/),
    'reverted p1',
    'turn started p2',
    'turn done',
  ]);
});

test('not while a turn runs', async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const { hub, spec, seen } = testRunner({ ...CAN, script: () => goOn });
  hub.command(spec('ses_1'), prompt('p1'));
  await seen('ses_1', 'turn-started');
  hub.command(spec('ses_1'), revert('p1'));
  expect(await seen('ses_1', 'revert-failed')).toMatchObject({ error: { code: 'conflict' }, revertId: 'rvt_p1' });
  resolve();
  expect(await seen('ses_1', 'turn-finished')).toMatchObject({ reason: 'done' });
});

test.each([
  ['it cannot', {}, { code: 'bad-request', message: 'The agent "scripted" cannot revert prompts here.' }],
  [
    'it says why not',
    { ...CAN, onRevert: () => Promise.reject(new DragomanError('unavailable', 'There are no snapshots.')) },
    { code: 'unavailable', message: 'There are no snapshots.' },
  ],
  [
    'it cannot be started',
    { ...CAN, onStart: () => Promise.reject(new DragomanError('unavailable', 'It is not installed.')) },
    { code: 'unavailable', message: 'It is not installed.' },
  ],
])('an agent that does not do it is told of: %s', async (_, options, error) => {
  const { hub, spec, seen } = testRunner(options);
  const number = hub.command(spec('ses_1'), revert('p1'));
  expect(await seen('ses_1', 'revert-failed')).toEqual({
    type: 'revert-failed',
    messageId: 'p1',
    revertId: 'rvt_p1',
    error,
  });
  await hub.until(() => hub.handled === number);
});

test('one that takes too long is told of, and told again when it is done after all', async () => {
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const onRevert = async () => {
    await goOn;
    return { files: ['a.txt'] };
  };
  const { hub, spec, seen } = testRunner({ ...CAN, onRevert });
  hub.command(spec('ses_1'), revert('p1'));
  expect(await seen('ses_1', 'revert-failed')).toMatchObject({
    error: { code: 'timed-out', fix: 'It may still happen, and is shown then.' },
  });
  resolve();
  expect(await seen('ses_1', 'reverted')).toMatchObject({ messageId: 'p1', files: ['a.txt'] });
});
