import { writeSync } from 'node:fs';
import { openHouse, USER } from './house.fixture.ts';
import { editTree, randomFrom } from './planted-tree.fixture.ts';

// Run as a program: brings a folder into the index, edits it and follows, again and again, and prints a line at every step.
const [home, root, seed, edits] = process.argv.slice(2) as [string, string, string, string];
const say = (line: string) => void writeSync(1, `${line}\n`);
const log = {
  trace: (_facts: object, message: string) => say(message),
  debug: (_facts: object, message: string) => say(message),
  warn: (facts: object, message: string) => say(`warning: ${message} ${JSON.stringify(facts)}`),
  error: (facts: object, message: string) => say(`error: ${message} ${JSON.stringify(facts)}`),
};

const { context, close } = await openHouse(home, { log });
say('open');
const sync = await context.workspaces.open(USER, root, ({ isScanning }) => say(isScanning ? 'scanning' : 'syncing'));
await sync.refresh();
say('refreshed');
const random = randomFrom(Number(seed));
for (let round = 0; round < Number(edits); round++) {
  editTree(root, random);
  say('edited');
  await sync.refresh();
  say('refreshed');
}
await close();
say('done');
