import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rounds, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { answersOf, namesIn, namesOnDisk, openHouse, USER } from './house.fixture.ts';

const WRITER = fileURLToPath(new URL('write-in-a-loop.fixture.ts', import.meta.url));

test.each([{ watch: false }, { watch: true }])(
  'files that are written while they are read are in the index as they are in the end (watched: $watch)',
  async ({ watch }) => {
    const root = realpathSync(tempFolder());
    writeFileSync(join(root, 'still.ts'), 'export const stillHere = 1;\n');
    const house = await openHouse(join(tempFolder(), 'home'), { watch });
    onTestFinished(house.close);
    const writer = spawn(process.execPath, [WRITER, root, '5'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = once(writer, 'close');
    await once(writer.stdout, 'data');

    for (let refresh = 0; refresh < rounds(500); refresh++) {
      const view = await house.context.workspaces.view(USER, root);
      expect(view.blobNames.size).toBeLessThanOrEqual(6);
      expect((await house.context.engine.index.search(view, { query: 'stillHere', limit: 1 }))[0]?.path).toBe(
        'still.ts',
      );
    }
    writer.stdin.end();
    await ended;

    expect(await namesIn(house, root)).toEqual(namesOnDisk(root));
    expect(await answersOf(house, root, ['stillHere'])).toEqual({ stillHere: ['still.ts'] });
  },
);
