import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FinishedRun, runDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../bin/dragoman.js', import.meta.url));
const FAKES = fileURLToPath(new URL('../../../runner/src/backends', import.meta.url));

/** A folder with a script that is called `agent`. */
function folderWith(script: string): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'agent'), script, { mode: 0o755 });
  return folder;
}

const TEXT_AGENT = `#!/bin/sh
read -r question
echo "思考: 用户想要查看文件..."
echo "执行: ls ."
echo "结果:"
ls .
echo "回答: 这就是全部。($question)"
`;

/** Our own, with a data folder of its own: agents are not told which one the server has. */
const acpAgent = () => `#!/bin/sh
DRAGOMAN_HOME=${tempFolder()} exec ${process.execPath} --conditions=@dragoman/source ${PROGRAM} acp
`;

/** Answers with a thought, a call and a text; its second line breaks whatever the test wants broken. */
const uapAgent = (first = '') => `#!${process.execPath}
import { createInterface } from 'node:readline';
const say = (line) => console.log(JSON.stringify(line));
let count = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { type } = JSON.parse(line);
  if (type === 'start') say({ type: 'ready' });
  if (type !== 'prompt') return;
  ${first}
  const id = 'call_' + ++count;
  say({ role: 'assistant', content: [{ type: 'thinking', thinking: 'What is there?' }, { type: 'tool_use', id, name: 'ls', input: {} }] });
  say({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'a.ts' }] });
  say({ role: 'assistant', content: [{ type: 'text', text: 'There is a.ts.' }] });
  say({ type: 'turn-finished' });
});
`;

async function check(args: readonly string[], options: Parameters<typeof runDragoman>[1] = {}): Promise<FinishedRun> {
  return runDragoman(['uap', 'check', ...args], options);
}

interface Report {
  isConforming: boolean;
  rules: { id: string; status: string; seen: string[]; mend: string }[];
}

/** What is broken, with what was seen. */
function broken({ stdout }: FinishedRun): [string, string][] {
  const { rules } = JSON.parse(stdout) as Report;
  return rules.filter(({ status }) => status === 'failed').map(({ id, seen }) => [id, seen.join('; ')]);
}

const fake = (kind: string) => [
  '--backend',
  kind,
  '--',
  process.execPath,
  '--no-warnings',
  join(FAKES, kind, `fake-${kind}.fixture.ts`),
];
const backends: [string, string[]][] = [
  ['native', ['--agent', 'native']],
  ['chat', ['--agent', 'chat']],
  ['text', ['--backend', 'text', '--', './agent']],
  ['uap', ['--', './agent']],
  ['acp', ['--backend', 'acp', '--', './agent']],
  ['claude', fake('claude')],
  ['codex', fake('codex')],
];

test.each(backends)(
  'an agent behind the backend %s keeps every rule [UAP-01, UAP-17, UAP-20, UAP-22, UAP-38]',
  async (name, args) => {
    const scripts: Record<string, string> = { text: TEXT_AGENT, acp: acpAgent() };
    const cwd = folderWith(scripts[name] ?? uapAgent());
    const run = await check(['--json', ...args], {
      cwd,
      env: { FAKE_CLAUDE_STATE: tempFolder(), FAKE_CODEX_STATE: tempFolder(), FAKE_CODEX: '{}' },
    });

    expect([broken(run), run.stderr, run.exitCode]).toEqual([[], '', 0]);
  },
);

test('an agent that breaks rules is told which, what was seen and how to mend it, and the exit code says so', async () => {
  const script = uapAgent(`
  console.log('loading model');
  say({ type: 'block-delta', blockId: 'nowhere', delta: 'x' });
  say({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_9', content: 'x' }] });`);
  const cwd = folderWith(script);

  const run = await check(['--json', '--', './agent'], { cwd });

  expect(run.exitCode).toBe(1);
  expect(broken(run)).toEqual([
    ['readable-lines', expect.stringContaining('it is no JSON') as string],
    ['deltas-to-open-blocks', expect.stringContaining('nowhere') as string],
    ['results-after-calls', expect.stringContaining('call_9') as string],
  ]);

  const forPeople = await check(['--', './agent'], { cwd });
  expect(forPeople.exitCode).toBe(1);
  expect(forPeople.stdout).toMatch(
    /FAILED +readable-lines .*\n +seen: .*loading model\n +mend: Write one JSON object of the protocol per line/,
  );
  expect(forPeople.stdout).toMatch(/\nThe agent does not conform: \d+ kept, 3 broken, .*\n$/);
  expect(forPeople.stderr).toMatch(/^… starting the agent\n… first prompt\n/);
});

test('an agent of the configuration is checked by its name, wherever the command is called', async () => {
  const home = folderWith(TEXT_AGENT);
  writeFileSync(
    join(home, 'dragoman.json'),
    JSON.stringify({ agents: { mine: { backend: 'text', command: ['./agent'] } } }),
  );

  const run = await check(['--agent', 'mine'], { home, cwd: tempFolder() });

  expect([run.exitCode, run.stdout.trim().split('\n').at(-1)]).toEqual([
    0,
    expect.stringMatching(/^The agent conforms: /) as string,
  ]);
});

test('what cannot be checked says why', async () => {
  const failing = async (args: string[]) => {
    const { exitCode, stderr } = await check(args);
    return `${exitCode} ${stderr.trim()}`;
  };

  expect(await failing([])).toBe(
    '2 dragoman: Give the command of an agent, such as "dragoman uap check -- ./agent.sh", or its name with --agent.',
  );
  expect(await failing(['--agent', 'nobody'])).toMatch(
    /^1 dragoman: there is no agent named "nobody" on this machine; there are: native, chat, ollama, /,
  );
  expect(await failing(['--backend', 'smoke', '--', 'sh'])).toMatch(
    /^1 dragoman: there is no backend named "smoke"; registered are: acp, chat, claude, .*native, ollama, text, uap$/,
  );
});
