import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts';
import type { Limits } from '../sandbox/run-confined.ts';
import { hasSandbox, SMALL } from '../sandbox/sandbox.fixture.ts';
import { ToolRegistry } from '../tools/tool-registry.ts';
import { type Tool, ToolError } from '../tools/tool.ts';
import { findSkills } from './find-skills.ts';
import { skillTool } from './skill-tool.ts';
import { writeSkill } from './skill.fixture.ts';

const context: Tool.Context = {
  sessionID: 'ses_1',
  messageID: 'msg_1',
  callID: 'call_1',
  agent: 'build',
  cwd: '/work/project',
  root: '/work/project',
  abort: new AbortController().signal,
  metadata: () => {},
  isPermitted: () => true,
  ask: async () => {},
};

interface Place {
  root: string;
  home: string;
  skills: string;
  tool(options?: { limits?: Limits; sandbox?: () => Promise<Sandbox> }): Promise<Tool.Info<{ name: string }>>;
}

/** A project with a folder for skills, and the tool that uses them. */
function place(): Place {
  const root = realpathSync(tempFolder());
  const home = realpathSync(tempFolder());
  const data = join(home, 'data');
  mkdirSync(data);
  return {
    root,
    home,
    skills: join(root, '.dragoman/skills'),
    tool: (options = {}) =>
      skillTool({
        skills: () => findSkills({ cwd: root, root, home, folders: [] }),
        sandbox: () => openSandbox({ home, hidden: [data] }),
        limits: SMALL,
        ...options,
      }),
  };
}

/** Runs what it is given as a process like any other: for machines without bubblewrap. */
const unconfined = async (): Promise<Sandbox> => ({
  async run({ command: [program, ...parameters], cwd, input }) {
    const { status, stdout, stderr } = spawnSync(program!, parameters, { cwd, input, encoding: 'utf8' });
    return { exitCode: status, stdout, stderr };
  },
  wrap: () => Promise.reject(new Error('Nothing is wrapped here.')),
});

const noSandbox = () => Promise.reject(new Error('No process may be started.'));

/** A skill that runs a script, and what came of it. */
async function runScript(script: string, { at = place(), head = '' } = {}): Promise<string> {
  writeSkill(at.skills, 'script', { head, files: { 'scripts/execute.js': script } });
  return (await (await at.tool()).execute({ name: 'script' }, context)).output;
}

/** Why it failed. */
async function failureOf(script: string, options: Parameters<typeof runScript>[1] = {}): Promise<string> {
  const error = await runScript(script, options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ToolError);
  return (error as ToolError).message;
}

describe('the tool', () => {
  test('is a tool like any other: registered, described, with one parameter [FR-34] [FR-39] [FR-40]', async () => {
    const at = place();
    writeSkill(at.skills, 'tea');
    const registry = new ToolRegistry();
    const tool = await at.tool();

    expect(registry.register(tool)).toBe(true);
    expect(registry.get('skill')).toBe(tool);
    const definition = registry.definition(tool);
    expect(definition.description).toMatch(/^Uses a skill: .*\n- tea: Does tea\.$/);
    expect(definition.inputSchema).toEqual({
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, description: 'The name of the skill, as it is listed.' } },
      required: ['name'],
    });
    expect(await tool.subjects!({ name: 'tea' }, context)).toEqual([{ kind: 'name', value: 'tea' }]);
    expect(tool.timeoutMs!({ name: 'tea' })).toBe(610_000);
  });

  test('an unknown name is answered with the names there are [FR-39]', async () => {
    const at = place();
    const tool = await at.tool();
    const unknown = () => tool.execute({ name: 'milk' }, context);

    await expect(unknown()).rejects.toThrow(new ToolError('There is no skill "milk". There are no skills here.'));
    writeSkill(at.skills, 'tea');
    writeSkill(at.skills, 'coffee');
    await expect(unknown()).rejects.toThrow(new ToolError('There is no skill "milk". The skills are: coffee, tea.'));
  });

  test('a broken skill is named as what it is [FR-39]', async () => {
    const at = place();
    writeFileSync(join(writeSkill(at.skills, 'milk'), 'SKILL.md'), 'How to milk.');

    await expect((await at.tool()).execute({ name: 'milk' }, context)).rejects.toThrow(
      `The skill "milk" cannot be used: ${at.skills}/milk/SKILL.md:1: there is no front matter; the first line must be "---". ` +
        'There are no skills here.',
    );
  });

  /** Calls a skill without a script and one with a script the same way. */
  async function callBoth(options: { sandbox?: typeof unconfined } = {}) {
    const at = place();
    writeSkill(at.skills, 'direct', { body: 'Read this.' });
    const script = 'const { name } = JSON.parse(require("fs").readFileSync(0)); console.log(`${name} found out`)';
    writeSkill(at.skills, 'sandboxed', { files: { 'scripts/execute.js': script } });
    const tool = await at.tool(options);
    const results = [
      await tool.execute({ name: 'direct' }, context),
      await tool.execute({ name: 'sandboxed' }, context),
    ];
    return results.map((result) => ({ ...result, output: result.output.replace(at.skills, 'SKILLS') }));
  }

  const BOTH = [
    {
      title: 'direct',
      output: 'Read this.\n\nThe folder of this skill, where its relative paths start: SKILLS/direct',
      metadata: { skill: 'direct', mode: 'direct' },
    },
    { title: 'sandboxed', output: 'sandboxed found out\n', metadata: { skill: 'sandboxed', mode: 'sandbox' } },
  ];

  test('the same call works for a skill with a script and for one without, whatever runs the script [ACC-04]', async () => {
    expect(await callBoth({ sandbox: unconfined })).toEqual(BOTH);
  });

  test.skipIf(!hasSandbox)(
    'the same call works for a skill with a script and for one without [ACC-04] (needs bubblewrap)',
    async () => {
      expect(await callBoth()).toEqual(BOTH);
    },
  );
});

describe('in direct mode', () => {
  test('the text without its front matter is the result, with the folder and the files, and no process is started [FR-36] [FR-38]', async () => {
    const at = place();
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`templates/${String(n).padStart(2, '0')}.md`, '']),
    );
    writeSkill(at.skills, 'tea', { body: '# Tea\n\nBoil water.', files: { 'LICENSE.txt': '', ...files } });
    symlinkSync('/etc', join(at.skills, 'tea', 'elsewhere'));

    const { output } = await (await at.tool({ sandbox: noSandbox })).execute({ name: 'tea' }, context);

    expect(output).toBe(`# Tea

Boil water.

The folder of this skill, where its relative paths start: ${at.skills}/tea

Files in it:
- LICENSE.txt
- templates/00.md
- templates/01.md
- templates/02.md
- templates/03.md
- templates/04.md
- templates/05.md
- templates/06.md
- templates/07.md
- templates/08.md
- and more`);
  });

  test('a skill that asks for it is not run, although it has a script [FR-38]', async () => {
    const at = place();
    writeSkill(at.skills, 'tea', { head: 'mode: direct', files: { 'scripts/execute.js': 'process.exit(1)' } });

    const { output, metadata } = await (await at.tool({ sandbox: noSandbox })).execute({ name: 'tea' }, context);

    expect(output).toMatch(/^How to tea\.\n\nThe folder .*\n\nFiles in it:\n- scripts\/execute\.js$/);
    expect(metadata).toEqual({ skill: 'tea', mode: 'direct' });
  });

  test('a skill that asks for the sandbox and has nothing to run gives its text [FR-38]', async () => {
    const at = place();
    writeSkill(at.skills, 'tea', { head: 'mode: sandbox' });

    expect((await (await at.tool({ sandbox: noSandbox })).execute({ name: 'tea' }, context)).output).toMatch(
      /^How to tea\./,
    );
  });

  test('a text that was changed is the new one at the next use', async () => {
    const at = place();
    const file = join(writeSkill(at.skills, 'tea'), 'SKILL.md');
    const tool = await at.tool();

    writeFileSync(file, readFileSync(file, 'utf8').replace('How to', 'Never'));

    expect((await tool.execute({ name: 'tea' }, context)).output).toMatch(/^Never tea\./);
  });
});

test('where there is no sandbox a script is refused, with what to do [FR-37]', async () => {
  const at = place();
  writeSkill(at.skills, 'script', { files: { 'scripts/execute.js': 'console.log(1)' } });
  const tool = await at.tool({ sandbox: () => openSandbox({ platform: 'linux', searchPath: at.home }) });
  const refusal = tool.execute({ name: 'script' }, context);

  await expect(refusal).rejects.toBeInstanceOf(ToolError);
  await expect(refusal).rejects.toThrow(/^The sandbox needs bubblewrap, .*apt-get install bubblewrap/);
});

describe.skipIf(!hasSandbox)('in the sandbox, which is the default (needs bubblewrap)', () => {
  test('the script is told its name and where the agent works, and what it prints is the result [FR-37]', async () => {
    const output = await runScript(
      `let input = ''; process.stdin.on('data', (text) => input += text).on('end', () =>
         console.log(input.trim(), process.cwd() === require('path').dirname(__dirname), require('./help.js')))`,
      {
        at: (() => {
          const at = place();
          writeSkill(at.skills, 'script', { files: { 'scripts/help.js': 'module.exports = "helped"' } });
          return at;
        })(),
      },
    );

    expect(output).toBe('{"name":"script","cwd":"/work/project"} true helped\n');
  });

  test('a script may be a module, and may print nothing', async () => {
    expect(await runScript('import { sep } from "node:path"; export default sep;')).toBe(
      'The script of the skill "script" ended well and printed nothing.',
    );
  });

  test('a skill behind a link is run where it really is', async () => {
    const at = place();
    const elsewhere = writeSkill(join(at.root, '.agents/skills'), 'script', {
      files: { 'scripts/execute.js': 'console.log(__dirname)' },
    });
    mkdirSync(at.skills, { recursive: true });
    symlinkSync(elsewhere, join(at.skills, 'script'));

    const { output } = await (await at.tool()).execute({ name: 'script' }, context);

    expect(output).toBe(`${elsewhere}/scripts\n`);
  });

  test('a script that is a link out of the folder of its skill is not run', async () => {
    const at = place();
    writeFileSync(join(at.root, 'evil.js'), 'console.log("run")');
    writeSkill(at.skills, 'script', { files: { 'scripts/readme.md': '' } });
    symlinkSync('../../../../evil.js', join(at.skills, 'script/scripts/execute.js'));

    await expect((await at.tool()).execute({ name: 'script' }, context)).rejects.toThrow(
      'The skill "script" cannot be used: its script is a link that leads out of its folder.',
    );
  });

  test('a script that fails says why, with its last words [FR-37]', async () => {
    expect(await failureOf('console.error("no water"); process.exit(3)')).toBe(
      [
        'The skill "script" failed: its script ended with exit code 3.',
        'Its script runs in a sandbox: the network is off, its own folder is read-only, the home folder and the project are not ' +
          'there, and it can write only to its temporary folder ($TMPDIR).',
        'The end of its standard error:\nno water',
      ].join('\n'),
    );
    expect(await failureOf('process.exit(3)')).toMatch(/It wrote nothing to standard error\.$/);
  });

  test('reading the home folder or the data folder fails [FR-37]', async () => {
    const at = place();
    writeFileSync(join(at.home, 'diary.txt'), 'secret');
    writeFileSync(join(at.home, 'data/dragoman.sqlite'), 'secret');
    const read = (path: string) => failureOf(`require('fs').readFileSync(${JSON.stringify(path)})`, { at });

    const reason =
      'failed: files: it looked for one that is not there, or not in the sandbox (its script ended with exit code 1)';
    expect(await read(join(at.home, 'diary.txt'))).toContain(reason);
    expect(await read(join(at.home, 'data/dragoman.sqlite'))).toContain(reason);
  });

  test('opening a socket and looking up a name fail [FR-37]', async () => {
    let visits = 0;
    const server = createServer((socket) => {
      visits++;
      socket.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };

    const reason = 'failed: network is off (its script ended with exit code 1)';
    expect(await failureOf(`require('net').connect(${port}, '127.0.0.1')`)).toContain(reason);
    expect(await failureOf(`require('dns').lookup('example.com', (error) => { if (error) throw error })`)).toContain(
      reason,
    );
    expect(visits).toBe(0);
  });

  test('writing into the folder of the skill fails [FR-37]', async () => {
    const at = place();

    expect(await failureOf(`require('fs').writeFileSync(__filename, 'changed')`, { at })).toContain(
      'failed: read-only: it tried to write outside its temporary folder',
    );
    expect(readFileSync(join(at.skills, 'script/scripts/execute.js'), 'utf8')).toContain('writeFileSync');
  });

  test('eating memory fails [FR-37]', async () => {
    const reason = 'failed: memory: used more than 128 MB.';

    expect(await failureOf('const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))')).toContain(reason);
    expect(await failureOf('const all = []; for (;;) all.push(Math.random() + "text")')).toContain(reason);
  });

  test('forking for ever fails [FR-37]', async () => {
    // Each starts two; there would be 500 at most, should everything else fail.
    const script = `const depth = Number(process.argv[2] ?? 8);
      if (depth > 0) for (let n = 0; n < 2; n++) require('child_process').fork(__filename, [String(depth - 1)]);
      setTimeout(() => {}, 60_000)`;

    expect(await failureOf(script)).toContain('failed: too many processes: more than 8 at once.');
  });

  test('running for ever fails when its time is up, which it may set [FR-37]', async () => {
    expect(await failureOf('for (;;);', { head: 'timeout: 0.5' })).toContain('failed: time: ran longer than 0.5 s.');
  });

  test('printing for ever fails [FR-37]', async () => {
    expect(await failureOf('const print = () => process.stdout.write("x".repeat(1000), print); print()')).toContain(
      'failed: output: printed more than 0.1 MB.',
    );
  });

  test('keys of our environment are not to be seen [FR-37]', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-secret');
    onTestFinished(() => void vi.unstubAllEnvs());

    expect(await runScript('console.log(Object.keys(process.env).sort().join())')).toBe('HOME,LANG,PATH,PWD,TMPDIR\n');
  });

  test('a script that was cancelled says so', async () => {
    const at = place();
    writeSkill(at.skills, 'script', { files: { 'scripts/execute.js': 'for (;;);' } });

    await expect(
      (await at.tool()).execute({ name: 'script' }, { ...context, abort: AbortSignal.abort() }),
    ).rejects.toThrow('The skill "script" failed: cancelled.');
  });

  test('a script that is gone between listing and use leaves the text', async () => {
    const at = place();
    const folder = writeSkill(at.skills, 'script', { files: { 'scripts/execute.js': 'console.log(1)' } });
    const tool = await at.tool();
    rmSync(join(folder, 'scripts'), { recursive: true });

    expect((await tool.execute({ name: 'script' }, context)).output).toMatch(/^How to script\./);
  });
});
