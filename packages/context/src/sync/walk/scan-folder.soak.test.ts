import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeTree } from '../filter/tree.fixture.ts';
import { ScanMemory } from './scan-memory.fixture.ts';

test('whatever happens between scans, what is known then is what a fresh scan finds', () => {
  const names = fc.constantFrom('a', 'b', 'a/b', 'a/c', 'a/c/d', 'b/a', 'b/x.pem', '.gitignore', 'a/.dragomanignore');
  const contents = fc.constantFrom('a', 'b\n!c', '*', '!a/', 'c/', '\0');
  const step = fc.oneof(
    fc.record({ act: fc.constant('write' as const), path: names, content: contents }),
    fc.record({ act: fc.constant('delete' as const), path: names }),
    fc.record({ act: fc.constant('rename' as const), path: names, to: names }),
    fc.record({ act: fc.constant('look' as const), path: names }),
  );
  const root = tempFolder();
  let run = 0;

  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 4 }), (visits) => {
      const memory = new ScanMemory(join(root, String(run++)));
      mkdirSync(memory.root);
      memory.scan();
      for (const steps of visits) {
        const touched: string[] = [];
        for (const each of steps) {
          try {
            if (each.act === 'write') writeTree(memory.root, { [each.path]: each.content });
            if (each.act === 'delete') rmSync(join(memory.root, each.path), { recursive: true, force: true });
            if (each.act === 'rename') renameSync(join(memory.root, each.path), join(memory.root, each.to));
          } catch {
            // The tree is not such that this could be done.
          }
          touched.push(each.path, ...(each.act === 'rename' ? [each.to] : []));
        }
        const { needsSweep } = memory.scan({ paths: touched });
        if (needsSweep !== undefined) memory.scan();
      }
      memory.scan();
      const fresh = new ScanMemory(memory.root);
      fresh.scan();

      expect(memory.names()).toEqual(fresh.names());
      expect(new Set(memory.folders.keys())).toEqual(new Set(fresh.folders.keys()));
    }),
    { seed: 12, numRuns: rounds(2_000) },
  );
});
