import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../pipeline/manual-clock.fixture.ts';
import { type FileEvent, type Subscribe, watchFolder } from './watch-folder.ts';

/** A listener that keeps what it is told, and can be waited for. */
function listen() {
  const told: string[] = [];
  const watchers = new Set<() => void>();
  const note = (...lines: string[]) => {
    told.push(...lines);
    for (const look of watchers) look();
  };
  return {
    told,
    changed: (paths: ReadonlySet<string>) => note(...[...paths].map((path) => `changed ${path}`)),
    missed: () => note('missed'),
    troubled: (error: Error) => note(`troubled ${error.message}`),
    until: (line: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!told.includes(line)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}

/** A watcher in the test's hands. */
function handWatcher() {
  let tell: Parameters<Subscribe>[1] = () => {};
  const calls: string[] = [];
  const subscribe: Subscribe = async (root, onEvents, ignore) => {
    tell = onEvents;
    calls.push(`subscribe ${root} without ${ignore.join(' ')}`);
    return async () => {
      calls.push('unsubscribe');
    };
  };
  const events = (...list: [FileEvent['type'], string][]) =>
    tell(
      null,
      list.map(([type, path]) => ({ type, path })),
    );
  return { subscribe, calls, events, fail: (error: Error) => tell(error, []) };
}

async function watchReally(root: string, ignore: string[] = []) {
  const listener = listen();
  const watch = await watchFolder(root, listener, { ignore });
  onTestFinished(() => watch.stop());
  return { ...listener, watch };
}

test('what is made, written and deleted is told by its relative path', async () => {
  const root = realpathSync(tempFolder());
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/old.ts'), 'old');
  writeFileSync(join(root, 'src/gone.ts'), 'gone');
  const { told, until } = await watchReally(root);

  writeFileSync(join(root, 'new.ts'), 'new');
  await until('changed new.ts');
  writeFileSync(join(root, 'src/old.ts'), 'newer');
  await until('changed src/old.ts');
  rmSync(join(root, 'src/gone.ts'));
  await until('changed src/gone.ts');

  expect(new Set(told)).toEqual(new Set(['changed new.ts', 'changed src/old.ts', 'changed src/gone.ts']));
});

test('folders that are not followed tell nothing', async () => {
  const root = realpathSync(tempFolder());
  for (const folder of ['.git', 'dist', 'src']) mkdirSync(join(root, folder));
  const { told, until } = await watchReally(root, ['dist']);

  for (const folder of ['.git', 'dist', 'src']) writeFileSync(join(root, folder, 'file.ts'), '');
  await until('changed src/file.ts');

  expect(told).toEqual(['changed src/file.ts']);
});

test('a file deep in a folder that was just made, or moved, is not lost', async () => {
  const root = realpathSync(tempFolder());
  const { told, until } = await watchReally(root);
  expect(told).toEqual([]);

  mkdirSync(join(root, 'a/b/c'), { recursive: true });
  writeFileSync(join(root, 'a/b/c/file.ts'), 'one');
  await until('changed a');
  told.length = 0;
  writeFileSync(join(root, 'a/b/c/file.ts'), 'two');
  await until('changed a/b/c/file.ts');

  told.length = 0;
  renameSync(join(root, 'a'), join(root, 'A'));
  await until('changed a');
  await until('changed A');
  writeFileSync(join(root, 'A/b/c/file.ts'), 'three');
  await until('changed A/b/c/file.ts');

  told.length = 0;
  rmSync(join(root, 'A'), { recursive: true });
  mkdirSync(join(root, 'A/b'), { recursive: true });
  await until('changed A');
  writeFileSync(join(root, 'A/b/file.ts'), 'four');
  await until('changed A/b/file.ts');
});

test('a root that is deleted is told, and ends the watch', async () => {
  const root = join(realpathSync(tempFolder()), 'root');
  mkdirSync(root);
  const { told, until } = await watchReally(root);

  rmSync(root, { recursive: true });
  await until(`troubled The folder ${root} is no longer there.`);

  expect(told.filter((line) => line.startsWith('troubled'))).toHaveLength(1);
});

test('a root that is deleted and made anew is another one, and the watch ends', async () => {
  const root = join(realpathSync(tempFolder()), 'root');
  mkdirSync(root);
  const { told, until } = await watchReally(root);

  rmSync(root, { recursive: true });
  mkdirSync(root);
  await until(`troubled The folder ${root} is no longer there.`);

  expect(told.filter((line) => line.startsWith('troubled'))).toHaveLength(1);
});

test('events are gathered for 30 ms and told once', async () => {
  const [clock, listener, watcher] = [new ManualClock(), listen(), handWatcher()];
  const watch = await watchFolder('/no/such', listener, { clock, subscribe: watcher.subscribe, ignore: ['dist'] });
  expect(watcher.calls).toEqual(['subscribe /no/such without /no/such/.git /no/such/dist']);

  watcher.events(['create', '/no/such/a.ts'], ['update', '/no/such/a.ts']);
  clock.advance(29);
  watcher.events(['update', '/no/such/b/c.ts']);
  expect(listener.told).toEqual([]);
  clock.advance(1);
  expect(listener.told).toEqual(['changed a.ts', 'changed b/c.ts']);

  watcher.events(['update', '/no/such/a.ts']);
  watch.flush();
  expect(listener.told).toHaveLength(3);
  watch.flush();
  clock.advance(1_000);
  expect(listener.told).toHaveLength(3);
});

test('after very many events at once everything has to be looked at', async () => {
  const [clock, listener, watcher] = [new ManualClock(), listen(), handWatcher()];
  await watchFolder('/no/such', listener, { clock, subscribe: watcher.subscribe });

  watcher.events(
    ...Array.from({ length: 4_001 }, (_, index): ['update', string] => ['update', `/no/such/${index}.ts`]),
  );
  clock.advance(30);

  expect(listener.told).toEqual(['missed']);
});

test('a watcher that breaks says so once, and then nothing', async () => {
  const [clock, listener, watcher] = [new ManualClock(), listen(), handWatcher()];
  const watch = await watchFolder('/no/such', listener, { clock, subscribe: watcher.subscribe });

  watcher.events(['update', '/no/such/a.ts']);
  watcher.fail(new Error('Events were dropped'));
  watcher.fail(new Error('again'));
  watcher.events(['update', '/no/such/b.ts']);
  clock.advance(1_000);
  await watch.stop();

  expect(listener.told).toEqual(['troubled Changes in /no/such cannot be watched: Events were dropped']);
  expect(watcher.calls).toEqual(['subscribe /no/such without /no/such/.git', 'unsubscribe']);
});

test('a watcher that is not there is a clear error', async () => {
  const subscribe: Subscribe = async () => {
    throw new Error('No prebuild of @parcel/watcher found');
  };

  await expect(watchFolder('/no/such', listen(), { subscribe })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Changes in /no/such cannot be watched: No prebuild of @parcel/watcher found',
  });
});

test('a watch that has ended tells nothing more', async () => {
  const [clock, listener, watcher] = [new ManualClock(), listen(), handWatcher()];
  const watch = await watchFolder('/no/such', listener, { clock, subscribe: watcher.subscribe });
  watcher.events(['update', '/no/such/a.ts']);

  await watch.stop();
  await watch.stop();
  watcher.events(['update', '/no/such/a.ts']);
  clock.advance(1_000);

  expect(listener.told).toEqual([]);
  expect(watcher.calls).toEqual(['subscribe /no/such without /no/such/.git', 'unsubscribe']);
});
