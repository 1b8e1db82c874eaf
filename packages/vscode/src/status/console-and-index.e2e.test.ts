import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { serverAt, standInLink } from '../stand-in-link.fixture.ts';
import { freshEditor } from '../vscode.fixture.ts';
import { openConsole } from './open-console.ts';
import { showStatusItem } from './status-item.ts';
import { next, partsAround, untilTestEnds } from './status.fixture.ts';
import { watchWorkspaceIndex } from './workspace-index.ts';

test('the console is opened with a link that logs in once', async () => {
  const editor = freshEditor();
  const { url, token } = await serveDragoman();

  await openConsole({ url, token, origin: 'bundled' });

  const [page] = editor.opened;
  expect(page).toMatch(new RegExp(`^${url}/login#\\w+`));
  expect(page).not.toContain(token);
  const logIn = () =>
    fetch(`${url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: new URL(page!).hash.slice(1) }),
    });
  expect((await logIn()).status).toBe(200);
  expect((await logIn()).status).toBe(401);
});

test('the index of the open folder is offered, then shown in the status item as far as it is', async () => {
  const editor = freshEditor();
  const { url, token } = await serveDragoman();
  const code = join(realpathSync(tempFolder()), 'shop');
  mkdirSync(code);
  for (let number = 0; number < 20; number++)
    writeFileSync(join(code, `part-${number}.ts`), `export const n = ${number};\n`);
  editor.folders = [code];
  const link = standInLink(serverAt(url, { token }));
  const parts = partsAround(link, tempFolder());
  const index = untilTestEnds(watchWorkspaceIndex(parts));
  untilTestEnds(showStatusItem(parts, index));

  await link.ready();
  while (index.unknown.length === 0) await next(index.onDidChange);
  expect([index.unknown, index.known]).toEqual([[code], []]);
  await index.add(code);
  while (index.known[0]?.state !== 'ready') await next(index.onDidChange);

  expect(index.unknown).toEqual([]);
  expect(editor.statusItems[0]?.tooltip).toContain('shop: 20 files indexed');
});
