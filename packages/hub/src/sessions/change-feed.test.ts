import type { HubChange } from '@dragoman/protocol';
import type { Kysely, KyselyPlugin } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hubConfigShape } from '../config/hub-config.ts';
import type { HubTables } from '../hub-tables.ts';
import { testLog } from '../log/session-log.fixture.ts';
import { RunnerPresence } from '../runners/runner-presence.ts';
import { ChangeFeed } from './change-feed.ts';
import { tellRunnerChange } from './tell-change.ts';

test('what is read slowly is not told after what happened later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { store, feed, logger } = await testLog();
  const slow = Promise.withResolvers<void>();
  let answers = 0;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answers += 1;
      if (answers === 1) await slow.promise;
      return result;
    },
  };
  const tables = store.tables<HubTables>();
  const alone = { id: 'here', isAlive: () => false, met: () => {} };
  const presence = new RunnerPresence('sqlite', () => 1, alone);
  const config = () => ({ hub: hubConfigShape.hub.parse({}) });
  const changes = new ChangeFeed({ db: tables.withPlugin(plugin), feed, presence, config, now: () => 1, logger });
  onTestFinished(() => changes.close());
  const told: HubChange[] = [];
  changes.follow({ userId: 'usr_ada', receive: (given) => void told.push(...given), end: () => {} });
  const call = async (name: string) => {
    await tables.updateTable('hub_runners').set({ name }).execute();
    tellRunnerChange({ feed, presence }, 'run_1');
  };
  await tables.insertInto('hub_runners').values(MACHINE).execute();

  await call('first');
  await passTime(tables);
  expect(answers).toBe(1);
  await call('second');
  await passTime(tables);
  slow.resolve();

  const names = () => told.map((change) => change.type === 'runner' && change.runner.name);
  await expect.poll(names).toEqual(['first', 'second']);
});

/** Lets what waits for the clock happen, as far as the store answers. */
async function passTime(tables: Kysely<HubTables>): Promise<void> {
  vi.advanceTimersByTime(1000);
  for (let turn = 0; turn < 10; turn++) await tables.selectFrom('hub_runners').select('id').execute();
}

const MACHINE = {
  id: 'run_1',
  name: 'zero',
  host: 'desk',
  version: '1',
  owner_id: 'usr_ada',
  owner_name: 'Ada',
  is_shared: 0,
  folders_json: '[]',
  agents_json: '[]',
  outbox_id: 'out_1',
  acked: 0,
  handled: 0,
  commanded: 0,
  last_seen_at: 1,
  forgotten_at: null,
  connected_to: null,
};
