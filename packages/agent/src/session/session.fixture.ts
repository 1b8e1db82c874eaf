import { join } from 'node:path';
import { newId, type SessionInfo, type UserInfo } from '@dragoman/protocol';
import { openStore, type Store, type StoreEngine } from '@dragoman/server';
import { freshLocation, tempFolder } from '@dragoman/testkit';
import { onTestFinished } from 'vitest';
import { agentMigrations } from '../agent-migrations.ts';
import { SessionStore } from './session-store.ts';
import { Session } from './session.ts';

/** An empty store with the room's tables, of the running test's own. */
export async function testStore(engine: StoreEngine = 'sqlite'): Promise<Store> {
  const store = await openStore(await freshLocation(engine, [agentMigrations]), { rooms: [agentMigrations] });
  onTestFinished(() => store.close());
  return store;
}

/** What a new session is, in a folder of the running test's own. */
export function sessionInfo(given: Partial<SessionInfo> = {}): SessionInfo {
  const root = given.root ?? join(tempFolder());
  return {
    id: newId('ses'),
    title: 'A test',
    cwd: root,
    root,
    agent: 'build',
    model: { providerID: 'test', modelID: 'scripted' },
    time: { created: 1 },
    ...given,
  };
}

/** A session that is being worked on. */
export async function testSession(given: Partial<SessionInfo> = {}, store?: Store): Promise<Session> {
  return Session.create(new SessionStore(store ?? (await testStore())), sessionInfo(given));
}

/** Puts a prompt into the session as its next message; gives back its id. */
export function addPrompt(session: Session, text: string): string {
  const id = newId('msg');
  const info: UserInfo = {
    id,
    sessionID: session.id,
    role: 'user',
    time: { created: Date.now() },
    agent: 'build',
    model: { providerID: 'test', modelID: 'scripted' },
  };
  session.append({
    type: 'message-added',
    message: { info, parts: [{ id: newId('prt'), sessionID: session.id, messageID: id, type: 'text', text }] },
  });
  return id;
}
