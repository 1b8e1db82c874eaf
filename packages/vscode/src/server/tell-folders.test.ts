import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as vscode from 'vscode';
import { serverAt, standInLink } from '../stand-in-link.fixture.ts';
import { changeWorkspace, freshEditor, type StandInEditor } from '../vscode.fixture.ts';
import { tellFolders } from './tell-folders.ts';

let editor: StandInEditor;
beforeEach(() => void (editor = freshEditor()));

/** A server that takes leases, and what it is told by those that are open. */
async function leasing() {
  const open = new Set<string[]>();
  let taken = 0;
  const server = createServer((request, response) => {
    const folders = new URL(request.url!, 'http://x').searchParams.getAll('workspace');
    open.add(folders);
    taken += 1;
    request.on('close', () => open.delete(folders));
    response.writeHead(200).write(': here\n\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    knows: () => [...open],
    taken: () => taken,
    drop: () => server.closeAllConnections(),
  };
}

const soon = { timeout: 60_000 };

function openWindow(link: ReturnType<typeof standInLink>) {
  const log = vscode.window.createOutputChannel('Dragoman', { log: true });
  const telling = tellFolders({ link, log });
  onTestFinished(() => void telling.dispose());
  return telling;
}

test('BYOK-27 the server knows what is open in the window, also after that changes, and no more when the window is gone', async () => {
  const { url, knows } = await leasing();
  const link = standInLink(serverAt(url));
  editor.folders = ['/work/shop'];
  const window = openWindow(link);
  await expect.poll(knows, soon).toEqual([]);

  await link.ready();
  await expect.poll(knows, soon).toEqual([['/work/shop']]);
  changeWorkspace({ folders: ['/work/shop', '/work/a b'] });
  await expect.poll(knows, soon).toEqual([['/work/shop', '/work/a b']]);
  changeWorkspace({ folders: [] });
  await expect.poll(knows, soon).toEqual([]);
  changeWorkspace({ folders: ['/work/notes'] });
  await expect.poll(knows, soon).toEqual([['/work/notes']]);
  window.dispose();
  await expect.poll(knows, soon).toEqual([]);
});

test('a server that was away is told again, and one that moved at its new place', async () => {
  const [first, second] = [await leasing(), await leasing()];
  const link = standInLink(serverAt(first.url));
  editor.folders = ['/work/shop'];
  openWindow(link);
  await link.ready();
  await expect.poll(first.knows, soon).toEqual([['/work/shop']]);

  first.drop();
  await expect.poll(first.taken, soon).toBe(2);
  await expect.poll(first.knows, soon).toEqual([['/work/shop']]);
  link.become({ kind: 'ready', server: serverAt(second.url) });
  await expect.poll(second.knows, soon).toEqual([['/work/shop']]);
  await expect.poll(first.knows, soon).toEqual([]);
});

test('a server that the person runs is told nothing of what is open here', async () => {
  const [theirs, ours] = [await leasing(), await leasing()];
  const link = standInLink(serverAt(theirs.url, { origin: 'found' }));
  editor.folders = ['/work/shop'];
  openWindow(link);
  await link.ready();
  link.become({ kind: 'ready', server: serverAt(ours.url) });
  await expect.poll(ours.knows, soon).toEqual([['/work/shop']]);
  await expect.poll(theirs.knows, soon).toEqual([]);
});
