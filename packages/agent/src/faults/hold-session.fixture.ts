import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openStore, type StoreLocation } from '@dragoman/server';
import { agentMigrations } from '../agent-migrations.ts';
import { SessionStore } from '../session/session-store.ts';
import { Session } from '../session/session.ts';

// Run as a program: when it is told to, tries to open a session, says whether it got it, and works on it from then on.
const { location, sessionID } = JSON.parse(process.argv[2]!) as { location: StoreLocation; sessionID: string };
const say = (line: string) => void writeSync(1, `${line}\n`);
const store = new SessionStore(await openStore(location, { rooms: [agentMigrations] }));
let session: Session | undefined;
say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  try {
    if (line === 'open') session = await Session.open(store, sessionID);
    else session!.append({ type: 'session-updated', title: `by ${process.pid}` });
    await session!.stored();
    say('done');
  } catch (error) {
    say(`refused: ${(error as Error).message}`);
  }
}
process.exit();
