import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorkspace, namesIn } from './workspace-sync.fixture.ts';

type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;

const path = fc
  .array(fc.constantFrom('a', 'b', 'A', 'src', 'x.ts', 'ü'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const edit = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('write' as const), path, content: fc.string({ maxLength: 5 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), path, to: path }) },
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
const sequences = fc.array(fc.array(edit, { maxLength: 6 }), { minLength: 1, maxLength: 6 });

/** What the system refuses, such as a file below a file, is simply not done. */
function apply({ root, write, remove }: Workspace, step: Edit): void {
  try {
    if (step.kind === 'write') write(step.path, step.content.replaceAll('\0', ''));
    else if (step.kind === 'remove') remove(step.path);
    else {
      mkdirSync(dirname(join(root, step.to)), { recursive: true });
      renameSync(join(root, step.path), join(root, step.to));
    }
  } catch {
    // It was not possible.
  }
}

test('whatever is done to a folder, after a refresh the view is what is on disk, restarts between', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const workspace = await makeWorkspace();
      let { sync } = await workspace.open();
      for (const [index, edits] of sequence.entries()) {
        for (const step of edits) apply(workspace, step);
        await sync.refresh();
        expect(namesIn(sync)).toEqual(workspace.onDisk());
        if (index % 2 === 0) continue;
        await sync.stop();
        ({ sync } = await workspace.open());
        expect(namesIn(sync)).toEqual(workspace.onDisk());
      }
      await sync.stop();
    }),
    { seed: 4747, numRuns: rounds(1_000) },
  );
});

test('whatever is done to a watched folder comes into the view by itself', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (sequence) => {
      const workspace = await makeWorkspace();
      const { sync } = await workspace.open({ watch: true });
      while (!sync.isWatching) await sync.refresh();
      for (const edits of sequence) {
        for (const step of edits) apply(workspace, step);
        while (JSON.stringify(namesIn(sync)) !== JSON.stringify(workspace.onDisk()))
          await new Promise((go) => setImmediate(go));
      }
      expect(sync.isWatching).toBe(true);
      await sync.stop();
    }),
    { seed: 4747, numRuns: rounds(500) },
  );
});
