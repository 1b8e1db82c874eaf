import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { rounds, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { answersOf, namesIn, namesOnDisk, openHouse, USER } from './house.fixture.ts';
import { plantedWord } from './planted-tree.fixture.ts';

async function openFolder({ watch = false } = {}) {
  const root = realpathSync(tempFolder());
  const house = await openHouse(join(tempFolder(), 'home'), { watch });
  onTestFinished(house.close);
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const leftOut = async () => {
    const sync = await house.context.workspaces.open(USER, root);
    await sync.refresh();
    return sync.rejections();
  };
  return { root, house, write, leftOut };
}

test('a folder with very many files is indexed, each of them, and followed', async () => {
  const count = rounds(100_000);
  const { root, house } = await openFolder();
  for (let file = 0; file < count; file++)
    writeFileSync(join(root, `f${file}.txt`), `planted ${plantedWord(file % 8_000, Math.floor(file / 8_000))}\n`);

  expect((await house.context.workspaces.view(USER, root)).blobNames.size).toBe(count);
  const asked = [0, 1, Math.floor(count / 2), count - 1].map(
    (file) => [plantedWord(file % 8_000, Math.floor(file / 8_000)), `f${file}.txt`] as const,
  );
  expect(
    await answersOf(
      house,
      root,
      asked.map(([word]) => word),
    ),
  ).toEqual(Object.fromEntries(asked.map(([word, path]) => [word, [path]])));

  rmSync(join(root, 'f1.txt'));
  writeFileSync(join(root, 'f0.txt'), 'something else\n');
  expect(
    await answersOf(
      house,
      root,
      asked.slice(0, 2).map(([word]) => word),
    ),
  ).toEqual({ [asked[0]![0]]: [], [asked[1]![0]]: [] });
  expect((await house.context.workspaces.view(USER, root)).blobNames.size).toBe(count - 1);
  await house.close();
  rmSync(root, { recursive: true });
});

test('a file of a gigabyte is left out unread, with the reason, and those beside it are indexed', async () => {
  const { root, write, leftOut, house } = await openFolder();
  write('small.ts', 'export const small = 1;\n');
  closeSync(openSync(join(root, 'huge.log'), 'w'));
  truncateSync(join(root, 'huge.log'), 1 << 30);

  expect(await leftOut()).toEqual([{ reason: 'Large file', count: 1, example: 'huge.log' }]);
  expect(await answersOf(house, root, ['small'])).toEqual({ small: ['small.ts'] });
});

const NAMES = [
  'a\nnew line.ts',
  'tab\there.ts',
  '🌍🚀 emoji 👩‍👩‍👧.ts',
  'e\u0301 combined.ts',
  '\u00e9 in one.ts',
  '-rf.ts',
  '--help',
  ' begins and ends with a space ',
  'back\\slash.ts',
  '"quoted" \'twice\'.ts',
  '*?[a-z]{x,y}!.ts',
  '#not a comment.ts',
  '...',
  '%2e%2e%2f.ts',
  'C:.ts',
  'con.ts',
  '\u202Egnirts.ts',
  '\uFFFD.ts',
  'x'.repeat(252) + '.ts',
  '語'.repeat(84) + '.ts',
  'a folder \n of 🌍/-x/e\u0301/file.ts',
  `${`${'d'.repeat(250)}/`.repeat(5)}deep.ts`,
];

test('names of every kind are found by what is in their files, with the name as it is', async () => {
  const { root, house, write, leftOut } = await openFolder();
  for (const [file, name] of NAMES.entries()) write(name, `// planted ${plantedWord(file, 0)}\n`);
  const notText = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74, 0x73])]);
  writeFileSync(notText, 'a name that is not text\n');

  expect(await leftOut()).toEqual([expect.objectContaining({ count: 1, example: 'f\uFFFD\uFFFD.ts' })]);
  rmSync(notText);
  expect(await namesIn(house, root)).toEqual(namesOnDisk(root));
  const found = await answersOf(
    house,
    root,
    NAMES.map((_, file) => plantedWord(file, 0)),
  );
  expect(NAMES.map((_, file) => found[plantedWord(file, 0)])).toEqual(NAMES.map((name) => [name]));
});

test.each([{ watch: false }, { watch: true }])(
  'renames that change only the case, and files that become folders and back, are followed (watched: $watch)',
  async ({ watch }) => {
    const { root, house, write } = await openFolder({ watch });
    write('Readme.md', 'read me\n');
    write('src/Shape.ts', 'export class Shape {}\n');
    write('swap', 'a file\n');
    write('other/inner.ts', 'export const inner = 1;\n');
    expect(await namesIn(house, root)).toEqual(namesOnDisk(root));

    for (let round = 0; round < rounds(100); round++) {
      renameSync(join(root, 'Readme.md'), join(root, 'README.md'));
      renameSync(join(root, 'src'), join(root, 'SRC'));
      renameSync(join(root, 'SRC/Shape.ts'), join(root, 'SRC/shape.ts'));
      expect(await namesIn(house, root)).toEqual(namesOnDisk(root));
      rmSync(join(root, 'swap'));
      write('swap/now/a/folder.ts', `export const round = ${round};\n`);
      rmSync(join(root, 'other'), { recursive: true });
      write('other', 'now a file\n');
      expect(await namesIn(house, root)).toEqual(namesOnDisk(root));
      renameSync(join(root, 'README.md'), join(root, 'Readme.md'));
      renameSync(join(root, 'SRC'), join(root, 'src'));
      renameSync(join(root, 'src/shape.ts'), join(root, 'src/Shape.ts'));
      rmSync(join(root, 'swap'), { recursive: true });
      write('swap', 'a file\n');
      rmSync(join(root, 'other'));
      write('other/inner.ts', 'export const inner = 1;\n');
      expect(await namesIn(house, root)).toEqual(namesOnDisk(root));
    }
  },
);

test('links that lead in circles, out of the folder or nowhere are not followed', async () => {
  const { root, house, write, leftOut } = await openFolder();
  const outside = tempFolder();
  writeFileSync(join(outside, 'secret.ts'), 'export const outside = 1;\n');
  write('src/a.ts', 'export const inside = 1;\n');
  symlinkSync('.', join(root, 'src/self'));
  symlinkSync('..', join(root, 'src/up'));
  symlinkSync('b', join(root, 'a'));
  symlinkSync('a', join(root, 'b'));
  symlinkSync(outside, join(root, 'out'));
  symlinkSync(join(outside, 'secret.ts'), join(root, 'secret.ts'));
  symlinkSync('nothing', join(root, 'broken'));

  expect((await leftOut()).reduce((sum, { count }) => sum + count, 0)).toBe(7);
  expect(await answersOf(house, root, ['inside', 'outside'])).toEqual({ inside: ['src/a.ts'], outside: [] });
});

test.skipIf(process.getuid?.() === 0)(
  'a folder that may not be read keeps what is known of it, and is told (not as root)',
  async () => {
    const { root, house, write, leftOut } = await openFolder();
    write('open.ts', 'export const open = 1;\n');
    write('closed/in.ts', 'export const closed = 1;\n');
    await house.context.workspaces.view(USER, root);
    chmodSync(join(root, 'closed'), 0);
    onTestFinished(() => chmodSync(join(root, 'closed'), 0o700));

    expect(await leftOut()).toEqual([{ reason: 'Folder not readable (EACCES)', count: 1, example: 'closed' }]);
    expect(await answersOf(house, root, ['open'])).toEqual({ open: ['open.ts'] });
  },
);
