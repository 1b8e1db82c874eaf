import { type HubEvent, type HubSessionInfo, newId } from '@dragoman/protocol';
import { accessMigrations, openStore, type Store, type StoreEngine, type StoreLocation } from '@dragoman/server/base';
import { freshLocation } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { EventFeed } from '../feed/event-feed.ts';
import type { HubLog } from '../hub-log.ts';
import { hubMigrations } from '../hub-migrations.ts';
import type { NewEvent, React } from './session-change.ts';
import { SessionLog } from './session-log.ts';

/** A log whose warnings a test can look at. */
export function testHubLog(): HubLog & { warnings: { fields: object; message: string }[] } {
  const warnings: { fields: object; message: string }[] = [];
  return {
    warnings,
    debug: () => {},
    info: () => {},
    warn: (fields, message) => warnings.push({ fields, message }),
  };
}

const ROOMS = [accessMigrations, hubMigrations];

/** One process of a hub, as far as the log goes. */
export async function testLog(
  given: StoreEngine | StoreLocation = 'sqlite',
  react: React = async () => {},
): Promise<{ store: Store; feed: EventFeed; log: SessionLog; logger: ReturnType<typeof testHubLog> }> {
  const location = typeof given === 'string' ? await freshLocation(given, ROOMS) : given;
  const logger = testHubLog();
  const store = await openStore(location, { rooms: ROOMS });
  onTestFinished(() => store.close());
  const feed = await EventFeed.open({ store, log: logger });
  onTestFinished(() => feed.close());
  return { store, feed, log: new SessionLog({ store, feed, react, log: logger }), logger };
}

/** What a new session is. */
export function testInfo(given: Partial<HubSessionInfo> = {}): HubSessionInfo {
  return {
    id: newId('ses'),
    title: 'A test',
    agent: 'scripted',
    runnerId: 'run_test',
    folder: '/project',
    by: { type: 'user', userId: 'usr_ada', name: 'Ada', channel: 'web' },
    ...given,
  };
}

/** A session that is there. */
export async function testSession(log: SessionLog, given: Partial<HubSessionInfo> = {}): Promise<string> {
  const info = testInfo(given);
  await log.create(info, { byUserId: 'usr_ada', at: 1 });
  return info.id;
}

/** Events one after the other, a second apart. */
export function at(from: number, ...events: HubEvent[]): NewEvent[] {
  return events.map((event, index) => ({ at: from + index * 1000, event }));
}

type Block = Extract<HubEvent, { type: 'block-stop' }>['block'];

/** The start of a block of an assistant's message. */
export function start(blockId: string, block: Block = { type: 'text', text: '' }, messageId = 'msg_1'): HubEvent {
  return { type: 'block-start', messageId, role: 'assistant', blockId, block };
}

/** More of it. */
export function delta(blockId: string, more: string): HubEvent {
  return { type: 'block-delta', blockId, delta: more };
}

/** The whole of it. */
export function stop(blockId: string, block: Block | string, messageId = 'msg_1'): HubEvent {
  const whole: Block = typeof block === 'string' ? { type: 'text', text: block } : block;
  return { type: 'block-stop', messageId, role: 'assistant', blockId, block: whole };
}
