// A program for tests: claims the lock of DRAGOMAN_HOME, does what its argument says once it has it, and says what happens.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataFolder } from '../config/data-folder.ts';
import { claimServerLock, type Patience } from './claim-server-lock.ts';
import type { HolderScript, HolderWord } from './lock-holder.fixture.ts';
import { ServerRunsError } from './server-runs-error.ts';

const script = process.argv[2] as HolderScript;
const patience = JSON.parse(process.env['PATIENCE']!) as Patience;
const startedAt = Date.now();
const say = (word: HolderWord) => process.stdout.write(`${JSON.stringify(word)}\n`);

try {
  const lock = await claimServerLock({
    folder: dataFolder(process.env),
    note: { startedAt, version: '1.2.3' },
    signal: AbortSignal.timeout(60_000),
    patience,
    lookMs: 20,
  });
  void lock.lost.then(() => {
    say({ word: 'lost' });
    lock.release();
    process.exit();
  });
  const server = createServer((request, response) => {
    const challenge = new URL(request.url!, 'http://localhost').searchParams.get('challenge') ?? '';
    response.end(JSON.stringify({ proof: lock.prove(challenge) }));
  });
  let url: string | undefined;
  if (script !== 'starting') {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    lock.announce(url);
  }
  if (script === 'stopping') lock.leave();
  say({ word: 'held', url });
  process.on('SIGTERM', () => {
    lock.leave();
    lock.release();
    process.exit();
  });
  setInterval(() => {}, 60_000);
} catch (error) {
  if (!(error instanceof ServerRunsError)) throw error;
  say({ word: 'elsewhere', url: error.server.url });
}
