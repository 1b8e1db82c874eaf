import { openStore } from '@dragoman/server';
import { freshLocation, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { openCallBook } from '../metering/call-book.ts';
import { usageRecord } from '../metering/usage-record.fixture.ts';
import { gatewayMigrations, type UsageTables } from '../metering/usage-tables.ts';
import { CallsElsewhere } from './calls-elsewhere.ts';

test.each(STORE_ENGINES)(
  'calls of other processes are told once, and those of this one not twice, on %s',
  async (engine) => {
    const store = await openStore(await freshLocation(engine), { rooms: [gatewayMigrations] });
    const [here, there] = [1, 2].map(() => openCallBook({ store, folder: tempFolder() }));
    const leaving = new AbortController();
    onTestFinished(async () => {
      leaving.abort();
      await Promise.all([here!.usageLog.close(), there!.usageLog.close()]);
      await store.close();
    });
    there!.usageLog.add(usageRecord(Date.now() - 60_000, { id: 'call_before' }));
    await there!.usageLog.flush();
    const told: string[] = [];
    here!.calls.listen((_json, id) => told.push(id));
    new CallsElsewhere({ db: store.tables<UsageTables>(), calls: here!.calls, lookMs: 5 }).follow(leaving.signal);

    here!.usageLog.add(usageRecord(Date.now(), { id: 'call_here' }));
    await here!.usageLog.flush();
    there!.usageLog.add(usageRecord(Date.now(), { id: 'call_there' }));
    await there!.usageLog.flush();
    await expect.poll(() => told).toContain('call_there');
    there!.usageLog.add(usageRecord(Date.now(), { id: 'call_last' }));
    await there!.usageLog.flush();
    await expect.poll(() => told).toContain('call_last');

    expect(told).toEqual(['call_here', 'call_there', 'call_last']);
    expect(here!.calls.counters.calls).toBe(1);
  },
);
