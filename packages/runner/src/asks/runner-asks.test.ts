import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HubLink } from '@dragoman/protocol';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { AgentRegistry } from '../backend/agent-registry.ts';
import { AgentList } from '../config/agent-list.ts';
import { AllowedFolders } from '../folders/allowed-folders.ts';
import { SILENT_LOG } from '../runner-log.ts';
import { RunnerAsks } from './runner-asks.ts';

function openAsks(reply: HubLink['reply']) {
  const folder = realpathSync(tempFolder());
  const agents = new AgentList({
    registry: new AgentRegistry(),
    configured: () => ({}),
    presets: [],
    folder,
    log: SILENT_LOG,
  });
  const asks = new RunnerAsks({
    link: { reply },
    runnerId: () => 'run_1',
    folders: new AllowedFolders(() => [folder]),
    offers: () => agents.offers(),
    worktrees: join(folder, 'worktrees'),
    log: SILENT_LOG,
  });
  return { folder, asks, session: { sessionId: 'ses_1', agent: 'a', folder } };
}

test('files are answered like folders and agents, and a refusal is told with its code', async () => {
  const told: unknown[] = [];
  const { folder, asks, session } = openAsks(async (...reply) => void told.push(reply));
  writeFileSync(join(folder, 'a.ts'), 'one');

  await asks.take('ask_1', { method: 'list-agents' });
  await asks.take('ask_2', { method: 'read-file', session, path: 'a.ts' });
  await asks.take('ask_3', { method: 'read-file', session, path: '../a.ts' });
  await asks.close();
  expect(told).toEqual([
    ['run_1', 'ask_1', { result: [] }],
    ['run_1', 'ask_2', { result: { path: 'a.ts', size: 3, text: 'one', isCut: false } }],
    ['run_1', 'ask_3', { error: { code: 'forbidden', message: `"../a.ts" is outside the session's folder` } }],
  ]);
});

test('a question that comes again because its answer was lost is answered with the same words', async () => {
  const told: unknown[] = [];
  let isCut = true;
  const { folder, asks, session } = openAsks(async (_runnerId, _askId, answer) => {
    if (isCut) throw new Error('the connection was cut');
    told.push(answer);
  });
  const ask = { method: 'read-file', session, path: 'a.ts' } as const;
  writeFileSync(join(folder, 'a.ts'), 'one');
  await asks.take('ask_1', ask);
  writeFileSync(join(folder, 'a.ts'), 'two');
  isCut = false;
  await asks.take('ask_1', ask);
  await asks.take('ask_2', ask);
  await asks.close();

  expect(told).toMatchObject([{ result: { text: 'one' } }, { result: { text: 'two' } }]);
});

test('a question that nobody waits for is not looked into any further; a change is carried through', async () => {
  const told = new Map<string, unknown>();
  const { folder, asks, session } = openAsks(async (_runnerId, askId, answer) => void told.set(askId, answer));
  writeFileSync(join(folder, 'a.ts'), 'one');

  const look = asks.take('ask_1', { method: 'read-file', session, path: 'a.ts' });
  const change = asks.take('ask_2', { method: 'stage-files', session, paths: ['a.ts'], isStaged: true });
  asks.drop('ask_1');
  asks.drop('ask_2');
  asks.drop('ask_3');
  await Promise.all([look, change]);
  await asks.close();

  expect(Object.fromEntries(told)).toEqual({
    ask_1: { error: { code: 'cancelled', message: 'The call was cancelled.' } },
    ask_2: {
      error: { code: 'bad-request', message: `${folder} is not a Git repository; run "git init" there first` },
    },
  });
});
