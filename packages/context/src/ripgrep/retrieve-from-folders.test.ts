import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { retrieveFromFolders } from './retrieve-from-folders.ts';

function folderWith(text: string): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'notes.txt'), `${text}\n`);
  return folder;
}

const body = { information_request: 'payBill' };

test('BYOK-87 one folder is answered for as the protocol says, and several one below the other', async () => {
  const [shop, notes] = [folderWith('payBill in the shop'), folderWith('nothing of it')];
  const ofShop = `codebase-retrieval (local rg)\nquery: payBill\nworkspaceRoot: ${shop}\n\n# payBill\nnotes.txt:1:payBill in the shop\n`;
  const ofNotes = `codebase-retrieval (local rg)\nquery: payBill\nworkspaceRoot: ${notes}\n\n# payBill\n(no matches)\n`;

  expect(await retrieveFromFolders({ body, folders: [shop] })).toBe(ofShop);
  expect(await retrieveFromFolders({ body, folders: [shop, notes] })).toBe(`${ofShop}\n${ofNotes}`);
});

test('no folder is searched where none is open', async () => {
  expect(await retrieveFromFolders({ body, folders: [] })).toBe(
    'codebase-retrieval (local rg): no folder is open in the editor',
  );
});

test('of very many folders the first are searched, and the others are named', async () => {
  const folders = Array.from({ length: 10 }, () => folderWith('payBill'));
  const answer = await retrieveFromFolders({ body, folders });

  expect(answer.match(/^notes\.txt:1:payBill$/gm)).toHaveLength(8);
  expect(answer.endsWith(`\n(not searched: ${folders[8]}, ${folders[9]})\n`)).toBe(true);
});
