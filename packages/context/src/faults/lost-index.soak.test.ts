import { mkdirSync, readFileSync, realpathSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSoak, rounds, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { expectRightIn } from './expect-right.fixture.ts';
import { openHouse, USER } from './house.fixture.ts';
import { editTree, plantTree, randomFrom } from './planted-tree.fixture.ts';

type Damage = (segments: string[], random: () => number) => void;

const one = (segments: string[], random: () => number) => segments[Math.floor(random() * segments.length)]!;
const DAMAGES: Record<string, Damage> = {
  'the folder is deleted': ([some]) => rmSync(join(some!, '..'), { recursive: true }),
  'a segment is deleted': (segments, random) => rmSync(one(segments, random)),
  'a segment is cut short': (segments, random) => {
    const segment = one(segments, random);
    truncateSync(segment, Math.floor(random() * statSync(segment).size));
  },
  'a segment is empty': (segments, random) => truncateSync(one(segments, random), 0),
  'a stretch of a segment is overwritten': (segments, random) => {
    const segment = one(segments, random);
    const bytes = readFileSync(segment);
    const from = Math.floor(random() * bytes.length);
    bytes.fill(random() * 256, from, from + 1 + Math.floor(random() * 200));
    bytes[from]! ^= 0x55;
    writeFileSync(segment, bytes);
  },
  'a segment is something else, and longer': (segments, random) =>
    writeFileSync(one(segments, random), 'not a segment at all. '.repeat(5_000)),
  'all segments are folders': (segments) => {
    for (const segment of segments) {
      rmSync(segment);
      mkdirSync(segment);
    }
  },
};

test('whatever happens to the index on disk, while it is in use or not, the answers are right', async () => {
  const random = randomFrom(4747);
  const kinds = Object.entries(DAMAGES);
  const home = join(tempFolder(), 'home');
  const root = realpathSync(tempFolder());
  plantTree(root, isSoak() ? 120 : 30);
  let house = await openHouse(home);
  onTestFinished(() => house.close());

  for (let round = 0; round < rounds(100); round++) {
    // A few segments, and a search thread that has them open.
    for (let edit = 0; edit < 3; edit++) {
      await house.context.searchIn(USER, root).search({ query: 'retry' });
      editTree(root, random);
    }
    await house.context.workspaces.view(USER, root);
    const [kind, damage] = kinds[(isSoak() ? round : round * 4) % kinds.length]!;
    const isInUse = Math.floor(round / kinds.length) % 2 === 0;
    if (!isInUse) await house.close();
    damage(isInUse ? await house.segments() : await segmentsOf(home), random);
    if (!isInUse) house = await openHouse(home);
    const isEdited = random() < 0.5;
    if (isEdited) editTree(root, random);

    await expectRightIn(house, root).catch((error: unknown) => {
      throw new Error(
        `round ${round}: ${kind}, ${isInUse ? 'in use' : 'not in use'}, ${isEdited ? '' : 'not '}edited`,
        {
          cause: error,
        },
      );
    });
  }
  expect((await house.segments()).every((segment) => statSync(segment).isFile())).toBe(true);
});

async function segmentsOf(home: string): Promise<string[]> {
  const house = await openHouse(home);
  const segments = await house.segments();
  await house.close();
  return segments;
}
