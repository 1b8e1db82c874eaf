import type { Workplace } from '@dragoman/agent';
import { expect, test, vi } from 'vitest';
import { VisitedWorkplaces } from './visited-workplaces.ts';

/** Visits with what was opened and closed so far. */
function visits({ idleMs = 60_000, fails = false } = {}) {
  const heard: string[] = [];
  let version = 'one';
  const visited = new VisitedWorkplaces({
    idleMs,
    version: () => version,
    async open(cwd) {
      if (fails) throw new Error('no such folder');
      heard.push(`open ${cwd} ${version}`);
      const opened = version;
      return { workplace: { cwd } as Workplace, close: async () => void heard.push(`close ${cwd} ${opened}`) };
    },
  });
  const look = (folder: string) => visited.visit(folder, async ({ cwd }) => cwd);
  return { visited, heard, look, change: (next: string) => (version = next), mend: () => (fails = false) };
}

test('a folder is opened once, for all who look at it, and anew when the configuration has changed', async () => {
  const { visited, heard, look, change } = visits();

  expect(await Promise.all([look('/a'), look('/a'), look('/b')])).toEqual(['/a', '/a', '/b']);
  change('two');
  await look('/a');
  await visited.close();

  expect(heard.slice(0, 2)).toEqual(['open /a one', 'open /b one']);
  expect(heard.slice(2).toSorted()).toEqual(['close /a one', 'close /a two', 'close /b one', 'open /a two']);
});

test('a folder is closed when nobody looked for a while, and not while somebody does', async () => {
  const { visited, heard, look } = visits({ idleMs: 1 });
  const looking = Promise.withResolvers<void>();

  const first = visited.visit('/a', () => looking.promise);
  await look('/a');
  await look('/b');
  await vi.waitFor(() => expect(heard).toContain('close /b one'), { timeout: 60_000 });
  expect(heard).toEqual(['open /a one', 'open /b one', 'close /b one']);
  looking.resolve();
  await first;

  await vi.waitFor(() => expect(heard).toContain('close /a one'), { timeout: 60_000 });
});

test('at the end everything is closed, once, whoever still looks', async () => {
  const { visited, heard, look } = visits();
  const looking = Promise.withResolvers<void>();

  const first = visited.visit('/a', () => looking.promise);
  await look('/b');
  await visited.close();
  expect(heard.toSorted()).toEqual(['close /a one', 'close /b one', 'open /a one', 'open /b one']);
  looking.resolve();
  await first;

  expect(heard).toHaveLength(4);
});

test('a folder that could not be opened is tried again', async () => {
  const { look, mend, heard } = visits({ fails: true });

  await expect(look('/a')).rejects.toThrow('no such folder');
  mend();
  expect(await look('/a')).toBe('/a');
  expect(heard).toEqual(['open /a one']);
});
