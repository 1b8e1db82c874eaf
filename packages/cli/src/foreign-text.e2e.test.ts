import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

/** Renames the window, clears the screen, moves the cursor in one character, rings, and turns letters around. */
const EVIL = 'ev\u001B]0;PWN\u0007il\u001B[2J\u009B1A\u202E';
const CLEANED = 'ev␛]0;PWN␇il␛[2J\uFFFD1A\uFFFD';
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

/** A home whose one provider has such a model and says such things, and a folder and a file with such names. */
async function evilPlace() {
  const fake = await startFakeProvider();
  const home = tempFolder();
  const folder = join(tempFolder(), EVIL);
  mkdirSync(folder);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  writeFileSync(join(folder, EVIL), 'const a = 1;\n');
  writeFileSync(
    join(home, 'dragoman.json'),
    JSON.stringify({
      providers: { near: { type: 'openai-chat', baseUrl: `${fake.url}/v1`, apiKey: 'k', models: ['small', EVIL] } },
      routes: { default: ['near/small'] },
    }),
  );
  const refuses = () => fake.answer({ status: 400, body: JSON.stringify({ error: { message: EVIL } }) });
  const says = () =>
    fake.answer({
      body: [
        `data: ${JSON.stringify({ choices: [{ delta: { content: EVIL }, finish_reason: 'stop' }] })}\n\n`,
        'data: [DONE]\n\n',
      ],
    });
  return { home, folder, refuses, says };
}

test('no command passes on what would command the terminal, on either stream', async () => {
  const { home, folder, refuses, says } = await evilPlace();
  const file = join(folder, EVIL);
  const commands: [args: string[], shown: string, before?: () => unknown][] = [
    [['models', 'near/small', '--test'], CLEANED, says],
    [['models', 'near/small', '--test'], CLEANED, refuses],
    [['models'], CLEANED],
    [['models', EVIL], CLEANED],
    [['run', '--format', 'json', '--model', 'near/small', 'go'], CLEANED, refuses],
    [['run', '--model', 'near/small', 'go'], CLEANED, refuses],
    [['sessions', 'list'], 'go'],
    [['sessions', 'list', '--all', '--json'], 'ev\\u001b]0;PWN\\u0007il\\u001b[2J\\u009b1A\\u202e'],
    [['permissions', 'list'], CLEANED],
    [['permissions', 'explain', 'bash', EVIL], CLEANED],
    [['index'], CLEANED],
    [['index', '--stats'], CLEANED],
    [['index', '--explain', EVIL], CLEANED],
    [['index', '--explain', EVIL, '--json'], '\\u009b'],
    [['index', '--remove'], CLEANED],
    [['index', '--remove', '--json'], '\\u009b'],
    [['search', '--dir', file, 'a'], CLEANED],
    [['search', '--dir', folder, 'const'], CLEANED],
    [['search', '--limit', EVIL, 'a'], CLEANED],
    [['token', 'revoke', EVIL], '\\u001b'],
    [['secret', 'remove', EVIL], '\\u001b'],
    [['backup', join(folder, 'copy')], CLEANED],
    [['backup', join(folder, 'copy2'), '--json'], '\\u009b'],
    [['doctor', '--config', file], CLEANED],
    [['doctor', '--config', file, '--json'], '\\u009b'],
    [['uap', 'check', '--', 'sh', '-c', `echo '${EVIL}'; echo '${EVIL}' >&2; exit 1`], 'does not conform'],
    [[EVIL], CLEANED],
    [['search', `--${EVIL}`, 'a'], CLEANED],
  ];
  for (const [args, shown, before] of commands) {
    before?.();
    const { stdout, stderr } = await runDragoman(args, { home, cwd: folder });
    const said = stdout + stderr;
    expect(said).toContain(shown);
    expect(said).not.toMatch(UNSAFE);
  }
});
