import { appendFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { serverAt, standInLink } from '../stand-in-link.fixture.ts';
import { freshEditor } from '../vscode.fixture.ts';
import { followLog } from './follow-log.ts';
import { partsAround, untilTestEnds } from './status.fixture.ts';

test('the log of a server of ours is shown from now on, line by line and by its weight, and again after it was emptied', async () => {
  const editor = freshEditor();
  const folder = tempFolder();
  const logFile = join(folder, 'server.log');
  writeFileSync(logFile, '{"level":30,"msg":"from before"}\n');
  const link = standInLink(serverAt('http://127.0.0.1:4801', { logFile }));
  untilTestEnds(followLog(partsAround(link, folder)));
  await link.ready();
  const until = (lines: string[]) =>
    vi.waitFor(() => expect(editor.logged).toEqual(lines), { timeout: 60_000, interval: 50 });

  appendFileSync(logFile, '{"level":30,"msg":"GET /v1/models 200"}\n{"level":40,"msg":"slow"}\n{"level":50,"msg":"bro');
  await until(['info server: GET /v1/models 200', 'warn server: slow']);
  appendFileSync(logFile, 'ken"}\ndragoman: not JSON\n');
  await until([
    'info server: GET /v1/models 200',
    'warn server: slow',
    'error server: broken',
    'info server: dragoman: not JSON',
  ]);
  editor.logged.length = 0;
  truncateSync(logFile);
  appendFileSync(logFile, '{"level":30,"msg":"anew"}\n');
  await until(['info server: anew']);
});
