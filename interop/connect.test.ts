import { join } from 'node:path';
import { openCodeEnv, runDragoman, tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { askClient } from './ask-client.ts';
import { cline } from './clients/cline.ts';
import { codex } from './clients/codex.ts';
import { continueCli } from './clients/continue.ts';
import { geminiCli } from './clients/gemini-cli.ts';
import { pi } from './clients/pi.ts';
import { qwenCode } from './clients/qwen-code.ts';
import type { Client, Command, Place } from './clients/run-client.ts';
import { ANSWER, SCENARIOS } from './scenarios.ts';
import { placeFor } from './start-place.ts';

/** How each is started by somebody who has connected it: nothing says where Dragoman is but what was written. */
const COMMANDS: Readonly<Record<string, [Client['packages'], (place: Place) => Command]>> = {
  codex: [codex().packages, ({ prompt }) => ({ program: 'codex', args: ['exec', '--skip-git-repo-check', prompt] })],
  gemini: [geminiCli.packages, ({ prompt }) => ({ program: 'gemini', args: ['--skip-trust', '-p', prompt] })],
  opencode: [
    {},
    ({ prompt, home }) => {
      const { OPENCODE_CONFIG: _unset, ...env } = openCodeEnv(home);
      return { program: 'opencode', args: ['run', prompt], env };
    },
  ],
  qwen: [qwenCode('openai').packages, ({ prompt }) => ({ program: 'qwen', args: ['-p', prompt] })],
  pi: [
    pi('openai-completions').packages,
    ({ prompt }) => ({ program: 'pi', args: ['-p', prompt], env: { PI_OFFLINE: '1' } }),
  ],
  continue: [
    continueCli('openai').packages,
    ({ prompt }) => ({ program: 'cn', args: ['-p', prompt], env: { CONTINUE_TELEMETRY_ENABLED: '0' } }),
  ],
  cline: [cline.packages, ({ prompt }) => ({ program: 'cline', args: [prompt] })],
};

describe('dragoman connect', () => {
  const place = placeFor('chat');

  test.each(Object.entries(COMMANDS))('%s answers with what was written, and is set back', async (id, how) => {
    const [packages, command] = how;
    const { data: dataFolder } = place();
    const home = tempFolder();
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
    const connect = (...options: string[]) =>
      runDragoman(['connect', id, '--yes', ...options], { home: dataFolder, env });

    const connected = await connect();
    const { output, refusals } = await askClient(
      place(),
      { packages, command },
      SCENARIOS['answers in words'].script,
      home,
    );
    const undone = await connect('--undo');

    expect(connected).toMatchObject({ exitCode: 0 });
    expect(refusals).toEqual([]);
    expect(output).toContain(ANSWER);
    expect(undone).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('was left alone') });
  });
});
