import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import config from '../vitest.config.ts';
import { measureParts, measureToolOverhead } from '../bench/agent/measure-parts.ts';

const root = new URL('..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const files = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => /node_modules|dist/.test(path) }).filter(
    (path) => !/\.(?:test|fixture|d)\.ts$/.test(path),
  );
const packages = () =>
  readdirSync(new URL('packages', root)).map((folder) => ({
    folder,
    ...(JSON.parse(read(`packages/${folder}/package.json`)) as { dependencies?: Record<string, string> }),
  }));

test('what a change must pass is the whole suite, the types of the whole project, and what the README says [ACC-07, ACC-09]', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts['check']).toContain('check:types');
  expect(scripts['check:types']).toBe('tsc -b');
  const ci = read('.ci/run');
  for (const command of ['npm test', 'npm run check', 'npm run test:e2e']) expect(ci).toContain(command);
  const projects = JSON.parse(read('tsconfig.json')) as { references: { path: string }[] };
  for (const { folder } of packages())
    expect(projects.references.map(({ path }) => path)).toContain(`packages/${folder}`);
});

test('the coverage of the agent package is held at nine tenths of its lines [ACC-08]', () => {
  expect(config.test?.coverage).toMatchObject({ thresholds: { 'packages/agent/src/**': { lines: 90 } } });
});

test('the README tells the features of the agent, and CLAUDE.md where the architecture is [ACC-10, ACC-11]', () => {
  const readme = read('README.md');
  for (const word of ['## The agent', 'permissions', 'SKILL.md', 'MCP', 'dragoman acp', '--continue', 'bubblewrap'])
    expect(readme).toContain(word);
  expect(read('CLAUDE.md')).toContain('ARCHITECTURE.md');
});

test('every exported function and type of the agent, the runner, the hub and their protocol has a comment [ACC-12]', () => {
  const bare = files(
    'packages/{agent/src,runner/src,hub/src,protocol/src/{part,agent,permission,uap,hub}}/**/*.ts',
  ).flatMap((path) => {
    const lines = read(path).split('\n');
    return lines.flatMap((line, index) => {
      if (!/^export (?:declare )?(?:async )?(?:function|class|interface|type \w+ =|const|namespace)\b/.test(line))
        return [];
      if (/= z\.infer<|= ReturnType</.test(line)) return []; // The schema has the comment.
      let above = index - 1;
      // Overloads stand below one comment.
      while (/^\s*\/\/|^export (?:async )?function .*;$/.test(lines[above] ?? '')) above--;
      return /\*\/\s*$/.test(lines[above] ?? '') ? [] : [`${path}:${index + 1}`];
    });
  });
  expect(bare).toEqual([]);
});

test('the product is TypeScript, without a container, without code of the program it is compared with [ACC-17, ACC-18, ACC-19]', () => {
  expect(files('packages/*/src/**/*.{js,mjs,cjs,jsx}')).toEqual([]);
  const needed = packages().flatMap(({ dependencies = {} }) => Object.keys(dependencies));
  expect(needed.filter((name) => /inversify|tsyringe|typedi|awilix|bottlejs|injection/.test(name))).toEqual([]);
  expect(needed.filter((name) => name.includes('opencode'))).toEqual([]);
});

test('every package and every folder of the agent is in the map of the code [ACC-20]', () => {
  const map = read('ARCHITECTURE.md');
  for (const { folder } of packages()) expect(map).toContain(`packages/${folder}`);
  const folders = readdirSync(new URL('packages/agent/src', root), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { name } of folders) expect(map).toMatch(new RegExp(`\`(?:packages/agent/src/)?${name}\``));
});

test('each stage of the runtime has tests of its own [NFR-06]', () => {
  const stages = {
    thinking: 'packages/agent/src/turn',
    messages: 'packages/protocol/src/part',
    tools: 'packages/agent/src/tools',
    skills: 'packages/agent/src/skills',
    MCP: 'packages/agent/src/mcp',
    compaction: 'packages/agent/src/compaction',
  };
  for (const [stage, folder] of Object.entries(stages))
    expect([stage, globSync(`${folder}/**/*.test.ts`, { cwd: root }).length > 0]).toEqual([stage, true]);
  expect(existsSync(new URL('packages/agent/src/open-agent.test.ts', root))).toBe(true);
});

test('the benchmark measures what a tool call costs beside the tool, and what reading and writing parts takes [NFR-01, NFR-02]', async () => {
  expect(await measureToolOverhead(5)).toBeGreaterThan(0);
  expect(measureParts(5)).toBeGreaterThan(0);
});

test('no component of the console has more than 250 lines, every page is a folder with its words, and colours stand in one place', () => {
  const components = files('packages/web/src/**/*.tsx').filter((path) => !path.includes('.test.'));
  expect(components.length).toBeGreaterThan(100);
  expect(components.filter((path) => read(path).split('\n').length > 251)).toEqual([]);

  const pages = readdirSync(new URL('packages/web/src/pages', root));
  for (const page of pages)
    expect(readdirSync(new URL(`packages/web/src/pages/${page}`, root))).toEqual(
      expect.arrayContaining([`${page}-page.tsx`, `${page}-words.ts`]),
    );

  const coloured = components.filter((path) =>
    /#[0-9a-f]{6}\b|rgb\(|(?:bg|text|border)-(?:red|green|blue|gray|slate|zinc|amber)-\d/.test(read(path)),
  );
  expect(coloured).toEqual([]);
});
