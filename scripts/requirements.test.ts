import { expect, test } from 'vitest';
import { checkRequirements } from './requirements.ts';

const HEAD = 'id\tseed\tstatus\tstatement\tnote\n';
const row = (id: string, status = 'done', note = '') => `${id}\t000\t${status}\tsomething\t${note}\n`;

/** A program with a part in use, a part that only a list of exports names, and a thread. */
const PRODUCT = {
  'package.json': JSON.stringify({
    scripts: {
      check: 'npm run -s check:types',
      'check:types': 'tsc -b',
      idle: 'true',
      coverage: 'vitest run --coverage',
    },
  }),
  '.ci/run': 'step coverage npm run coverage\n',
  'packages/cli/package.json': JSON.stringify({
    name: '@dragoman/cli',
    bin: { dragoman: './bin/dragoman.js' },
    imports: { '#main': { '@dragoman/source': './src/main.ts' } },
  }),
  'packages/cli/bin/dragoman.js': "void import('#main');\n",
  'packages/cli/src/main.ts': `
    import { used, Desk } from '@dragoman/room';
    const COMMANDS = { index: () => import('./commands/index.ts') };
    await COMMANDS.index();
    used(new Desk().open());
  `.replaceAll(/^ {4}/gm, ''),
  'packages/cli/src/commands/index.ts': 'export function runIndex() {}\n',
  'packages/room/package.json': JSON.stringify({
    name: '@dragoman/room',
    exports: { '.': { '@dragoman/source': './src/index.ts' } },
  }),
  'packages/room/README.md': 'Other programs may:\n\n```ts\nforOthers();\n```\n\nThere is also `unused`.\n',
  'packages/room/src/index.ts': `
    export { used, unused, forOthers } from './room.ts';
    export { Desk } from './desk.ts';
    export type { Shape } from './shape.ts';
  `.replaceAll(/^ {4}/gm, ''),
  'packages/room/src/room.ts': `
    import { startThread } from './start-thread.ts';
    import type { shape } from './shape.ts';
    /** It is not unused. */
    export function used(value: typeof shape): void {
      startThread('scan-worker', import.meta.url);
      helper('unused');
    }
    function helper(text: string) {}
    export function unused(): void {
      onlyForUnused();
    }
    export const onlyForUnused = () => {};
    export function forOthers() {}
  `.replaceAll(/^ {4}/gm, ''),
  'packages/room/src/desk.ts': `
    export class Desk {
      open() {}
      idle() {}
    }
  `.replaceAll(/^ {4}/gm, ''),
  'packages/room/src/shape.ts': 'export const shape = {};\nexport type Shape = typeof shape;\n',
  'packages/room/src/start-thread.ts': 'export function startThread(name: string, here: string) {}\n',
  'packages/room/src/scan-worker.ts': "import { scan } from './scan.ts';\nscan();\n",
  'packages/room/src/scan.ts': 'export function scan() {}\n',
  'packages/room/src/drive.fixture.ts': "import { unused } from './room.ts';\nexport const drive = () => unused();\n",
  'testkit/package.json': JSON.stringify({
    name: '@dragoman/testkit',
    exports: { '.': { '@dragoman/source': './src/index.ts' } },
  }),
  'testkit/src/index.ts': "export { runDragoman } from './run-dragoman.ts';\n",
  'testkit/src/run-dragoman.ts': `
    const PROGRAM = new URL('../../packages/cli/bin/dragoman.js', import.meta.url);
    export function runDragoman(args: string[]) {
      spawn(PROGRAM, args);
    }
  `.replaceAll(/^ {4}/gm, ''),
};

/** What the check says of a table and a test beside the product's files. */
function check(table: string, testSource: string, path = 'packages/room/src/room.test.ts') {
  return checkRequirements(
    new Map(Object.entries({ ...PRODUCT, 'requirements.tsv': HEAD + table, [path]: testSource })),
  );
}

/** What the check says of an id that only this test names. */
function mistakesOf(imports: string, body: string) {
  return check(row('A-1'), `${imports}\n\ntest('A-1 it works', () => {\n  ${body}\n});\n`).mistakes;
}

const about = (name: string) => [
  `line 2: A-1 is done, but the test in packages/room/src/room.test.ts that names it is about ${name}`,
];
const unused = (name: string) => about(`packages/room/src/${name}, which the product does not use`);

test('an id that only a test of unused code names is not done', () => {
  expect(mistakesOf("import { unused } from './room.ts';", 'unused();')).toEqual(unused('room.ts#unused'));
});

test('neither is one whose test has that code through a list of exports, a fixture or a helper', () => {
  expect(mistakesOf("import { unused } from '@dragoman/room';", 'unused();')).toEqual(unused('room.ts#unused'));
  expect(mistakesOf("import * as room from './index.ts';", 'room.unused();')).toEqual(unused('room.ts#unused'));
  expect(mistakesOf("import { drive } from './drive.fixture.ts';", 'drive();')).toEqual(unused('room.ts#unused'));
  expect(mistakesOf("import { unused } from './room.ts';\nconst go = () => unused();", 'go();')).toEqual(
    unused('room.ts#unused'),
  );
});

test('code in use beside it does not help, nor does code that only unused code uses', () => {
  expect(mistakesOf("import { used, unused } from './room.ts';", 'used(unused());')).toEqual(unused('room.ts#unused'));
  expect(mistakesOf("import { onlyForUnused } from './room.ts';", 'onlyForUnused();')).toEqual(
    unused('room.ts#onlyForUnused'),
  );
});

test('what the product takes only as a type does not run, and a method that it never calls neither', () => {
  expect(mistakesOf("import { shape } from './shape.ts';", 'expect(shape).toEqual({});')).toEqual(
    unused('shape.ts#shape'),
  );
  expect(mistakesOf("import { Desk } from './desk.ts';", 'new Desk().idle();')).toEqual(unused('desk.ts#Desk.idle'));
  expect(mistakesOf("import { Desk } from './desk.ts';", 'new Desk().open();')).toEqual([]);
});

test('a test that is about nothing of the product shows nothing', () => {
  expect(mistakesOf("import { readFileSync } from 'node:fs';", "readFileSync('README.md');")).toEqual(
    about('nothing of the product'),
  );
});

test('what another package, a thread, an import while it runs or the program itself reaches is shown', () => {
  expect(mistakesOf("import { used } from './room.ts';", 'used();')).toEqual([]);
  expect(mistakesOf("import { scan } from './scan.ts';", 'scan();')).toEqual([]);
  expect(mistakesOf("import { runIndex } from '../../cli/src/commands/index.ts';", 'runIndex();')).toEqual([]);
  expect(mistakesOf("import { runDragoman } from '@dragoman/testkit';", "runDragoman(['index']);")).toEqual([]);
});

test('what a README shows other programs is a part of the product, and a mention in its text is not', () => {
  expect(mistakesOf("import { forOthers } from './room.ts';", 'forOthers();')).toEqual([]);
  expect(mistakesOf("import { unused } from './room.ts';", 'unused();')).toHaveLength(1);
});

test('one test that shows the product is enough, and what another test of the file is about does not count', () => {
  const imports = "import { used, unused } from './room.ts';\n";
  const [good, bad] = ["test('A-1', () => used());\n", "test('A-1', () => unused());\n"];

  expect(check(row('A-1'), imports + bad + good).mistakes).toEqual([]);
  expect(check(row('A-1'), `${imports}${bad}test('another', () => used());\n`).mistakes).toHaveLength(1);
});

test('a limit of a benchmark names an id as a test does', () => {
  const source = "import { used } from '../packages/room/src/room.ts';\nlimit('A-1 a call', used(), 5);\n";

  expect(check(row('A-1'), source, 'bench/room.bench.ts').mistakes).toEqual([]);
});

test('an id that is done must stand in a title as a whole word', () => {
  const table = row('AB-1') + row('AB-10') + row('AB-2', 'planned') + row('AB-3');
  const source = "import { used } from './room.ts';\ntest('AB-10 and AB-3: it works', () => used());\n// AB-1 here\n";

  expect(check(table, source)).toEqual({
    done: 3,
    deviating: 0,
    total: 4,
    mistakes: ["line 2: AB-1 is done, but no test's title names it"],
  });
});

test('titles of describe, each and bench count, in any quotes', () => {
  const table = ['A-1', 'A-2', 'A-3', 'A-4'].map((id) => row(id)).join('');
  const source = [
    "import { used } from './room.ts';",
    "describe('A-1 group', () => {\n  test('it works', () => {\n    used();\n  });\n});",
    'test.each([1, 2])("A-2 %s", () => used());',
    'bench(`A-3`, () => used());',
    "test.each(ENGINES)(\n  'A-4 it\\'s so',\n  () => used(),\n);",
  ].join('\n');

  expect(check(table, source).mistakes).toEqual([]);
});

test('what is asked of the repository is held by a step that runs on every change', () => {
  const table =
    row('A-1', 'done', '§1; held by: npm run check:types') +
    row('A-2', 'done', 'held by: npm run coverage') +
    row('A-3', 'done', 'held by: npm run idle') +
    row('A-4', 'done', 'held by: npm run check:nothing');

  expect(check(table, '').mistakes).toEqual([
    'line 4: A-3 is held by idle, which neither npm run check nor .ci/run runs',
    'line 5: A-4 is held by check:nothing, which neither npm run check nor .ci/run runs',
  ]);
});

test('an id may deviate when its note says why', () => {
  const table = row('A-1', 'deviates', '§2.1; deviates: the scan runs in a thread') + row('A-2', 'deviates', '§2.1');

  expect(check(table, '')).toEqual({
    done: 0,
    deviating: 2,
    total: 2,
    mistakes: ['line 3: A-2 deviates, and its note does not say why ("deviates: …")'],
  });
});

test('a line with another status, and an id that stands twice, are mistakes', () => {
  const table = row('A-1', 'maybe') + row('A-2', 'planned') + row('A-2', 'planned');

  expect(check(table, '').mistakes).toEqual([
    'line 2: the status of A-1 is not planned, done, deviates',
    'line 4: A-2 stands here twice',
  ]);
});
