import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { WorkspaceInfo } from '@dragoman/protocol/console';
import type { ServerState } from '../server/server-link.ts';
import { foreignToken, keepForeignToken } from '../server/server-token.ts';
import { serverAt, standInLink } from '../stand-in-link.fixture.ts';
import { freshEditor } from '../vscode.fixture.ts';
import { showMenu } from './menu.ts';
import { partsAround } from './status.fixture.ts';
import type { WorkspaceIndex } from './workspace-index.ts';

type Entry = vscode.QuickPickItem;

const OURS = serverAt('http://127.0.0.1:4801', { logFile: '/nowhere/server.log' });

async function labels(state: ServerState, settings: Record<string, unknown> = {}, unknown: string[] = []) {
  const editor = freshEditor();
  Object.assign(editor.settings, settings);
  const link = standInLink();
  link.state = state;
  const parts = partsAround(link, tempFolder());
  let shown: Entry[] = [];
  editor.answers.push((entries: Entry[]) => void (shown = entries));
  await showMenu(parts, indexOf(unknown));
  return shown.map(({ label }) => label);
}

const ALWAYS = ['URL, key and model…', 'Use in VS Code chat', 'Connect the Augment extension'];
const LAST = ['Disconnect and restore settings', 'Show the log', 'Get started'];

test('the menu offers what can be done now', async () => {
  // A person's own server on this machine is none of the test's business.
  vi.stubEnv('DRAGOMAN_HOME', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await labels({ kind: 'idle' })).toEqual(['Start the server', ...ALWAYS, ...LAST]);
  expect(await labels({ kind: 'ready', server: OURS }, {}, ['/work/shop'])).toEqual([
    'Open the console',
    ...ALWAYS,
    'Index shop for code search',
    'Restart the server',
    'Stop the server',
    ...LAST,
  ]);
  const named = serverAt('http://127.0.0.1:4747', { origin: 'setting' });
  expect(await labels({ kind: 'ready', server: named }, { 'dragoman.url': 'http://127.0.0.1:4747/' })).toEqual([
    'Open the console',
    ...ALWAYS,
    'Enter the token for http://127.0.0.1:4747…',
    ...LAST,
  ]);
});

test('a token is kept for the server it was asked for, and forgotten when that server is left', async () => {
  const editor = freshEditor();
  editor.settings['dragoman.url'] = 'http://127.0.0.1:4747';
  const link = standInLink();
  link.state = { kind: 'failed', reason: 'needs a token' };
  const parts = partsAround(link, tempFolder());
  editor.answers.push(pick('Enter the token'), ' TOKEN ');
  await showMenu(parts, indexOf([]));
  expect(await foreignToken(parts.context.secrets, 'http://127.0.0.1:4747')).toBe('TOKEN');

  delete editor.settings['dragoman.url'];
  await keepForeignToken(parts.context.secrets, 'http://127.0.0.1:4747', 'TOKEN');
  link.state = { kind: 'ready', server: serverAt('http://127.0.0.1:4747', { origin: 'found' }) };
  editor.answers.push(pick('Use the server included in the extension'));
  await showMenu(parts, indexOf([]));
  expect(await foreignToken(parts.context.secrets, 'http://127.0.0.1:4747')).toBeUndefined();
});

function pick(start: string) {
  return (entries: Entry[]) => entries.find(({ label }) => label.startsWith(start));
}

function indexOf(unknown: string[], known: WorkspaceInfo[] = []): WorkspaceIndex {
  return { known, unknown, onDidChange: () => ({ dispose() {} }), async add() {}, dispose() {} };
}
