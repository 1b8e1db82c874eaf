import { chmodSync, existsSync, lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesOf, plant, type Planted, project } from './project.fixture.ts';
import { revertFiles, unrevertFiles } from './revert-files.ts';
import { stepSnapshots } from './step-snapshot.ts';

/** Names that stand in each other's way. */
const path = fc.constantFrom('a', 'b', 'a/x', 'a/x/deep', 'a/y', 'b/x', 'c d/é\n"', 'e.bin', 'run');
const content: fc.Arbitrary<Planted> = fc.oneof(
  fc.string({ unit: fc.constantFrom('x', 'y', '\n', '\r\n', '') }),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom<Planted>({ program: '#!/bin/sh\n' }, { link: 'a' }, { link: '../outside' }, { link: 'b/x' }),
);
const edit = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), path, content }) },
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({ kind: fc.constant('program' as const), path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function apply(root: string, change: Edit): void {
  const target = join(root, change.path);
  if (change.kind === 'write') plant(root, { [change.path]: change.content });
  else if (!existsSync(dirname(target))) return;
  else if (change.kind === 'delete') rmSync(target, { recursive: true, force: true });
  else if (isFile(target)) chmodSync(target, 0o755);
}

function isFile(target: string): boolean {
  try {
    return lstatSync(target).isFile();
  } catch {
    return false;
  }
}

test('whatever steps did, taking the last of them back gives the files as they were, and un-doing it those of before [FR-18]', async () => {
  const steps = fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 5 }),
      steps,
      fc.nat(),
      fc.boolean(),
      async (start, turn, at, isRepository) => {
        const { root, snapshots } = await project({ 'kept.txt': 'k\n' }, { isRepository });
        for (const change of start) apply(root, change);
        const recorder = stepSnapshots(snapshots);
        const history: Record<string, Planted>[] = [];
        const patches = [];
        for (const edits of turn) {
          history.push(filesOf(root));
          await recorder.beforeChange();
          for (const change of edits) apply(root, change);
          const patch = await recorder.afterStep();
          patches.push({ hash: patch?.before ?? '', files: patch?.files ?? [] });
        }
        const now = filesOf(root);
        const back = at % turn.length;

        const reverted = await revertFiles(snapshots, patches.slice(back));
        expect(reverted.skipped).toEqual([]);
        expect(filesOf(root)).toEqual(history[back]);

        const undone = await unrevertFiles(snapshots, reverted);
        expect(undone.skipped).toEqual([]);
        expect(filesOf(root)).toEqual(now);
      },
    ),
    { seed: 18, numRuns: rounds(150), endOnFailure: true },
  );
});
