import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempFolder } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import { toolContext } from '../tool-context.fixture.ts';
import { customToolFolders, loadCustomTools } from './load-custom-tools.ts';

const zod = import.meta.resolve('zod');

function folderWith(files: Readonly<Record<string, string>>, folder = tempFolder()): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function load(path: string, scope: 'project' | 'user' | 'configured' = 'user', isTrusted = false, limitMs = 10_000) {
  const project = scope === 'project' ? path : undefined;
  return loadCustomTools({ folders: [{ path, scope, project }], isTrusted: () => isTrusted, limitMs });
}

test('a tool in a file is loaded under the name of the file, and runs [FR-33]', async () => {
  const folder = folderWith({
    'weather.mjs': `export default {
      description: 'Tells the weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      execute: async ({ city }, { sessionID }) => ({ title: city, output: 'Rain in ' + city + ' for ' + sessionID }),
    };`,
  });

  const { tools, problems } = await load(folder);

  expect(problems).toEqual([]);
  expect(tools).toHaveLength(1);
  expect(tools[0]).toMatchObject({
    id: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  });
  expect(await tools[0]!.execute({ city: 'Oslo' }, toolContext().context)).toEqual({
    title: 'Oslo',
    output: 'Rain in Oslo for ses_test',
  });
});

test('named exports are tools too, and may be named by themselves; other exports are left alone [FR-33]', async () => {
  const folder = folderWith({
    'math.mjs': `
      export const add = { description: 'Adds.', execute: () => 'sum' };
      export const other = { id: 'subtract', description: 'Subtracts.', execute: () => 'rest' };
      export const LIMIT = 5;
      export function helper() {}`,
  });

  const { tools, problems } = await load(folder);

  expect(problems).toEqual([]);
  expect(tools.map(({ id }) => id)).toEqual(['math_add', 'subtract']);
});

test('parameters may be a zod schema or an object of them, and a result may be any value', async () => {
  const folder = folderWith({
    'a.mjs': `import { z } from ${JSON.stringify(zod)};
      export default { description: 'A.', parameters: z.object({ n: z.number() }), execute: ({ n }) => ({ double: n * 2 }) };`,
    'b.mjs': `import { z } from ${JSON.stringify(zod)};
      export default { description: 'B.', parameters: { n: z.number() }, execute() { return this.description; } };`,
    'c.mjs': `export default { description: 'C.', parameters: { properties: {} }, execute() {} };`,
    'd.mjs': `export default { description: 'D.', execute: () => ({ output: 'given' }) };`,
  });
  const { context } = toolContext();

  const { tools, problems } = await load(folder);

  expect(problems).toEqual([]);
  const parses = tools.slice(0, 2).map(({ parameters }) => (parameters as Checked).safeParse({ n: 'x' }).success);
  expect(parses).toEqual([false, false]);
  expect(tools[2]!.parameters).toEqual({ type: 'object', properties: {} });
  expect(await Promise.all(tools.map((tool) => tool.execute({ n: 2 }, context)))).toEqual([
    { title: 'a', output: '{\n  "double": 4\n}' },
    { title: 'b', output: 'B.' },
    { title: 'c', output: 'Done.' },
    { title: 'd', output: 'given' },
  ]);
});

interface Checked {
  safeParse(value: unknown): { success: boolean };
}

test('a broken file is reported with its path and reason, and the others load [FR-33] [NFR-08]', async () => {
  const folder = folderWith({
    'good.mjs': `export default { description: 'Good.', execute: () => 'ok' };`,
    'throws.mjs': `throw new Error('no such database');`,
    'empty.mjs': `export const nothing = 1;`,
    'text.mjs': `export default 'hello';`,
    'nameless.mjs': `export default { execute: () => 'x' };`,
    'lazy.mjs': `export const idle = { description: 'Idle.', execute: 'soon' };`,
    'list.mjs': `export default { description: 'L.', parameters: [], execute: () => 'x' };`,
    'number.mjs': `export default { description: 'N.', parameters: { type: 'number' }, execute: () => 'x' };`,
    'string.mjs': `import { z } from ${JSON.stringify(zod)}; export default { description: 'S.', parameters: z.string(), execute: () => 'x' };`,
    'old.mjs': `export default { description: 'O.', parameters: { _def: {} }, execute: () => 'x' };`,
    'seven.mjs': `export default { id: 7, description: 'S.', execute: () => 'x' };`,
    'bad name.mjs': `export default { description: 'B.', execute: () => 'x' };`,
  });

  const { tools, problems } = await load(folder);

  expect(tools.map(({ id }) => id)).toEqual(['good']);
  expect(Object.fromEntries(problems.map(({ path, reason }) => [path.slice(folder.length + 1), reason]))).toEqual({
    'bad name.mjs': 'A tool is named with letters, digits, "-" and "_", 64 at most; "bad name" is not.',
    'empty.mjs': 'It exports no tool: expected a default export {description, parameters, execute}.',
    'lazy.mjs': 'The export "idle": "execute" is missing: a function of the input and the context.',
    'list.mjs': '"parameters" is neither a zod schema nor a JSON Schema of an object.',
    'nameless.mjs': '"description" is missing: a text that tells the model what the tool does and when to use it.',
    'number.mjs': '"parameters" as JSON Schema must have "type": "object".',
    'old.mjs': '"parameters" is a schema of an older zod; use zod 4, or JSON Schema.',
    'seven.mjs': '"id" must be a text.',
    'string.mjs': '"parameters" must be a zod schema of an object.',
    'text.mjs': 'Expected an object {description, parameters, execute}; it is a string.',
    'throws.mjs': 'no such database',
  });
});

test('a file that waits for ever is reported when its time is up', async () => {
  const folder = folderWith({ 'stuck.mjs': `await new Promise(() => {});` });

  expect((await load(folder, 'user', false, 50)).problems).toEqual([
    { path: join(folder, 'stuck.mjs'), reason: 'It did not load within 0.05 s; something in it waits.' },
  ]);
});

test('a tool that is edited or added while the agent runs is there the next time [NFR-08]', async () => {
  const folder = folderWith({ 'a.mjs': `export default { description: 'First.', execute: () => 'x' };` });
  const before = await load(folder);
  folderWith(
    {
      'a.mjs': `export default { description: 'Second.', execute: () => 'x' };`,
      'b.mjs': `export default { description: 'New.', execute: () => 'x' };`,
    },
    folder,
  );
  utimesSync(join(folder, 'a.mjs'), new Date(), new Date(Date.now() + 5000));

  const after = await load(folder);

  expect(before.tools.map(({ description }) => description)).toEqual(['First.']);
  expect(after.tools.map(({ description }) => description)).toEqual(['Second.', 'New.']);
});

test('of two tools with one name the first is used and the other is reported', async () => {
  const [first, second] = [
    folderWith({ 'a.mjs': `export default { description: 'First.', execute: () => 'x' };` }),
    folderWith({ 'a.mjs': `export default { description: 'Second.', execute: () => 'x' };` }),
  ];

  const { tools, problems } = await loadCustomTools({
    folders: [
      { path: first, scope: 'user' },
      { path: second, scope: 'configured' },
    ],
    isTrusted: () => true,
  });

  expect(tools.map(({ description }) => description)).toEqual(['First.']);
  expect(problems).toEqual([
    {
      path: join(second, 'a.mjs'),
      reason: `The tool "a" is there already, from ${join(first, 'a.mjs')}; this one is not used.`,
    },
  ]);
});

test('declarations, tests and hidden files are no tools', async () => {
  const folder = folderWith({
    'a.d.ts': '',
    'a.test.mjs': 'throw new Error()',
    '.b.mjs': 'throw new Error()',
    '_c.js': 'throw new Error()',
    'readme.md': '',
  });

  expect(await load(folder)).toEqual({ tools: [], problems: [] });
});

test('tools in TypeScript run as they are [FR-33]', async () => {
  const folder = folderWith({
    'typed.ts': `interface Input { name: string }
      export default { description: 'Greets.', execute: async ({ name }: Input): Promise<string> => 'Hello ' + name };`,
    'typed-too.mts': `export default { description: 'Greets.', execute: (): string => 'Hi' };`,
  });
  const script = `
    const { loadCustomTools } = await import(${JSON.stringify(import.meta.resolve('./load-custom-tools.ts'))});
    const { tools, problems } = await loadCustomTools({ folders: [{ path: ${JSON.stringify(folder)}, scope: 'user' }], isTrusted: () => false });
    const results = await Promise.all(tools.map((tool) => tool.execute({ name: 'you' }, {})));
    console.log(JSON.stringify({ problems, results }));`;

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@dragoman/source', '--input-type=module', '--eval', script],
    { cwd: dirname(fileURLToPath(import.meta.url)) },
  );

  expect(JSON.parse(stdout)).toEqual({
    problems: [],
    results: [
      { title: 'typed-too', output: 'Hi' },
      { title: 'typed', output: 'Hello you' },
    ],
  });
});

describe('whose code it is', () => {
  const files = {
    'evil.mjs': `globalThis.dragomanTestToolWasRun = true; export default { description: 'E.', execute: () => 'x' };`,
  };

  test("a project's tools do not run until the project is trusted, and that is reported", async () => {
    const folder = folderWith(files);

    expect(await load(folder, 'project', false)).toEqual({
      tools: [],
      problems: [
        {
          path: folder,
          reason: `The project's own tools (evil.mjs) are code that would run here, and the project is not trusted; they are not loaded. To trust it, name its folder in "agent.tools.trustedProjects" of dragoman.json.`,
        },
      ],
    });
    expect('dragomanTestToolWasRun' in globalThis).toBe(false);
    expect((await load(folder, 'project', true)).tools.map(({ id }) => id)).toEqual(['evil']);
    expect(Reflect.deleteProperty(globalThis, 'dragomanTestToolWasRun')).toBe(true);
  });

  test('what a link brings from outside of a project is not run, although the project is trusted', async () => {
    const root = tempFolder();
    const outside = folderWith(files);
    const folder = folderWith(
      { 'own.mjs': "export default { description: 'O.', execute: () => 'x' };" },
      join(root, 'tools'),
    );
    symlinkSync(join(outside, 'evil.mjs'), join(folder, 'evil.mjs'));
    symlinkSync(outside, join(root, 'more'));
    const folders = [folder, join(root, 'more')].map((path) => ({ path, scope: 'project' as const, project: root }));

    const { tools, problems } = await loadCustomTools({ folders, isTrusted: () => true });

    expect(tools.map(({ id }) => id)).toEqual(['own']);
    expect(problems).toEqual([
      { path: join(folder, 'evil.mjs'), reason: 'it is a link that points outside the project, so it is not read' },
      {
        path: join(root, 'more'),
        reason: 'The folder cannot be read: it is a link that points outside the project, so it is not read',
      },
    ]);
    expect('dragomanTestToolWasRun' in globalThis).toBe(false);
  });

  test('of many files only some are named', async () => {
    const folder = folderWith(Object.fromEntries('abcdefg'.split('').map((name) => [`${name}.mjs`, ''])));

    expect((await load(folder, 'project')).problems[0]!.reason).toContain(
      '(a.mjs, b.mjs, c.mjs, d.mjs, e.mjs and 2 more)',
    );
  });

  test('nobody is asked about a folder without tools; one that was configured and is not there is reported', async () => {
    const asked: string[] = [];
    const missing = join(tempFolder(), 'none');

    const { problems } = await loadCustomTools({
      folders: [
        { path: missing, scope: 'project' },
        { path: missing, scope: 'user' },
        { path: missing, scope: 'configured' },
      ],
      isTrusted: (folder) => asked.push(folder) > 0,
    });

    expect(asked).toEqual([]);
    expect(problems).toEqual([{ path: missing, reason: expect.stringContaining('The folder cannot be read: ENOENT') }]);
  });

  test.each([['tools/d'], ['./tools/../tools/d'], ['~/app/tools/d'], ['~/way/tools/d']])(
    'a folder of the configuration that lies in the project is the project’s: %s',
    async (named) => {
      const home = tempFolder();
      const root = join(home, 'app');
      folderWith({ 'evil.mjs': 'globalThis.dragomanTestToolWasRun = true;' }, join(root, 'tools/d'));
      symlinkSync(root, join(home, 'way'));

      const { tools, problems } = await loadCustomTools({
        folders: customToolFolders({ root, home, configured: [named] }),
        isTrusted: () => false,
      });

      expect(tools).toEqual([]);
      expect(problems).toMatchObject([{ reason: expect.stringContaining('the project is not trusted') as string }]);
      expect('dragomanTestToolWasRun' in globalThis).toBe(false);
    },
  );

  test('tools are looked for in the project, at home, and where the configuration says', () => {
    expect(customToolFolders({ root: '/work/app', home: '/home/me', configured: ['extra', '/opt/tools'] })).toEqual([
      { path: '/work/app/.dragoman/tools', scope: 'project', project: '/work/app' },
      { path: '/home/me/.config/dragoman/tools', scope: 'user' },
      { path: '/home/me/.dragoman/tools', scope: 'user' },
      { path: '/work/app/extra', scope: 'configured', project: '/work/app' },
      { path: '/opt/tools', scope: 'configured', project: undefined },
    ]);
    expect(customToolFolders({ root: '/home/me', home: '/home/me' })).toEqual([
      { path: '/home/me/.config/dragoman/tools', scope: 'user' },
      { path: '/home/me/.dragoman/tools', scope: 'user' },
    ]);
  });
});
