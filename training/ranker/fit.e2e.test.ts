import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

/** Runs `fit.ts`, and tells how it ended and what it said. */
function told(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@dragoman/source', join(import.meta.dirname, 'fit.ts'), ...args],
    { encoding: 'utf8', timeout: 60_000 },
  );
  return `${status} ${stdout}${stderr}`;
}

test('without folders it is said how it is called', () => {
  expect(told()).toBe('2 npm run fit-ranker -- DATA BASE [--write]\n');
});

test('questions or repositories that are missing or wrong are told by their names', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  expect(told(at('data'), at('base'))).toBe(`1 ${at('data')}/semble-repos.json is not there\n`);

  mkdirSync(at('data'));
  for (const name of ['semble', 'commit']) {
    writeFileSync(join(at('data'), `${name}-repos.json`), '[{ "name": "shop" }]');
    writeFileSync(
      join(at('data'), `${name}.jsonl`),
      '{"id": "shop#0", "repo": "shop", "category": "semantic", "query": "refunds", "relevant": [{"path": "a.ts"}]}\n',
    );
  }
  expect(told(at('data'), at('base'))).toBe(
    `1 ${at('data')}: repositories that questions are about are not there: ${at('base')}/repos/shop, ${at('base')}/crepos/shop\n`,
  );
  writeFileSync(join(at('data'), 'commit.jsonl'), 'not json\n');
  expect(told(at('data'), at('base'))).toMatch(/^1 .+commit\.jsonl:1: Unexpected token.+\n$/);
});
