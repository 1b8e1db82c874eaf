import { tempFolder } from '@dragoman/testkit';
import { afterEach, expect, test } from 'vitest';
import * as vscode from 'vscode';
import { serverAt, standInLink } from '../stand-in-link.fixture.ts';
import { freshEditor } from '../vscode.fixture.ts';
import { registerStatus } from './register-status.ts';
import { partsAround, untilTestEnds } from './status.fixture.ts';
import { welcome } from './welcome.ts';

const OURS = serverAt('http://127.0.0.1:4801', { logFile: '/nowhere/server.log' });

afterEach(() => void freshEditor()); // Nobody after this should be spoken to in Chinese.

test('the status item tells how the server is, where it is and where it came from, in the editor’s language', () => {
  const editor = freshEditor();
  const link = standInLink(OURS);
  untilTestEnds(registerStatus(partsAround(link, tempFolder())));
  const [item] = editor.statusItems;

  expect([item?.text, item?.tooltip, item?.command]).toEqual([
    '$(circle-outline) Dragoman',
    'Dragoman: not started',
    'dragoman.menu',
  ]);
  link.become({ kind: 'starting' });
  expect(item?.text).toBe('$(sync~spin) Dragoman');
  link.become({ kind: 'ready', server: OURS });
  expect([item?.text, item?.tooltip]).toEqual([
    '$(check) Dragoman',
    'Dragoman: ready\nhttp://127.0.0.1:4801 (server included in the extension)',
  ]);
  expect(editor.executed.at(-1)).toEqual(['setContext', 'dragoman.isReady', true]);
  editor.language = 'zh-cn';
  link.become({ kind: 'failed', reason: '没有应答。' });
  expect([item?.text, item?.tooltip]).toEqual(['$(warning) Dragoman', 'Dragoman: 出现问题\n没有应答。']);
});

test('nothing is started before somebody asks; who has started it once finds it in every window, until it is stopped', async () => {
  freshEditor();
  const link = standInLink(OURS);
  const parts = partsAround(link, tempFolder());
  untilTestEnds(registerStatus(parts));
  expect(link.state.kind).toBe('idle');
  await vscode.commands.executeCommand('dragoman.startServer');
  expect(link.state.kind).toBe('ready');

  const second = standInLink(OURS);
  untilTestEnds(registerStatus({ ...parts, link: second }));
  expect(second.state.kind).toBe('ready');
  await vscode.commands.executeCommand('dragoman.stopServer');
  expect(second.stops).toBe(1);

  const third = standInLink(OURS);
  untilTestEnds(registerStatus({ ...parts, link: third }));
  expect(third.state.kind).toBe('idle');
});

test('a changed item restarts a server of ours that runs, and no other', async () => {
  freshEditor();
  const link = standInLink(OURS);
  const parts = partsAround(link, tempFolder());
  untilTestEnds(registerStatus(parts));

  await parts.settings.save({ temperature: 0.1 });
  expect(link.restarts).toBe(0);
  await link.ready();
  await parts.settings.save({ temperature: 0.2 });
  expect(link.restarts).toBe(1);
  link.become({ kind: 'ready', server: serverAt('http://127.0.0.1:4747', { origin: 'setting' }) });
  await parts.settings.save({ temperature: 0.3 });
  expect(link.restarts).toBe(1);
});

test('what fails is told with its reason, and the log is one click away', async () => {
  const editor = freshEditor();
  const link = { ...standInLink(), restart: () => Promise.reject(new Error('The server did not end.')) };
  untilTestEnds(registerStatus(partsAround(link, tempFolder())));
  editor.answers.push('Show the log');

  await vscode.commands.executeCommand('dragoman.restartServer');

  expect(editor.said).toEqual([['error', 'Dragoman: The server did not end.', 'Show the log']]);
  expect(editor.executed.at(-1)).toEqual(['show the log']);
});

test('the walkthrough opens in the first window, and in no other', async () => {
  const editor = freshEditor();
  const { context } = partsAround(standInLink(), tempFolder());
  await welcome(context);
  await welcome(context);
  expect(editor.executed).toEqual([['workbench.action.openWalkthrough', 'dragoman.dragoman#dragoman.start', false]]);
});
