import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freshLocation, rounds, STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { openStore } from './open-store.ts';
import { type NumberTables, numbersRoom } from './survives-kill.fixture.ts';

const WRITER = fileURLToPath(new URL('survives-kill.fixture.ts', import.meta.url));

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a process killed while it writes has lost nothing that it was told was stored', async () => {
    const location = await freshLocation(engine);
    let stored = -1;
    for (let round = 0; round < rounds(100); round++) {
      const writer = spawn(process.execPath, ['--conditions=@dragoman/source', WRITER], {
        env: { ...process.env, LOCATION: JSON.stringify(location) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise((resolve) => writer.once('close', resolve));
      // Killed in the middle of its writing, a different number of rows each time.
      const killAfter = stored + 20 + ((round * 37) % 200);
      for await (const line of createInterface({ input: writer.stdout })) {
        stored = Number(line);
        if (stored >= killAfter) writer.kill('SIGKILL');
      }
      await ended;

      const store = await openStore(location, { rooms: numbersRoom });
      const rows = await store.tables<NumberTables>().selectFrom('numbers').select('id').orderBy('id').execute();
      await store.close();
      expect(rows.length).toBeGreaterThan(stored);
      expect(rows.map((row) => row.id)).toEqual(rows.map((_, index) => index));
      stored = rows.length - 1;
    }
  });
});
