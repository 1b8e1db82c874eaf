import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openAgent, type Workplace } from '@dragoman/agent';
import { openStore } from '@dragoman/server/base';
import { freshLocation, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { codeBase } from './code-base.fixture.ts';
import { permissionQuestion } from './permission-question.ts';
import { dragomanConfigSchema, roomMigrations } from './rooms.ts';

/** A folder inside a project, with every tool. */
async function workplaceIn(folder: string): Promise<Workplace> {
  const home = tempFolder();
  const store = await openStore(await freshLocation('sqlite'), { rooms: roomMigrations });
  const config = dragomanConfigSchema.parse({});
  const agent = openAgent({
    store,
    folder: home,
    config: () => config,
    openModel: () => {
      throw new Error('No model is needed.');
    },
    log: { debug: () => {}, info: () => {}, warn: () => {} },
    home,
  });
  onTestFinished(async () => {
    await agent.close();
    await store.close();
  });
  return agent.workplace(folder);
}

test('each tool says itself what a call would touch, seen from where one is; arguments can be given whole', async () => {
  const root = codeBase();
  mkdirSync(join(root, '.dragoman'));
  const workplace = await workplaceIn(join(root, 'src'));
  const asked = async (tool: string, ...words: string[]) => {
    const question = await permissionQuestion(workplace, { tool, words, agent: 'build' });
    // What only counts for denies stands beside what is asked about.
    const told = question.subjects.filter(({ deniedAs }) => deniedAs === undefined);
    return [question.tool, ...told.map(({ kind, value }) => `${kind} ${value}`)];
  };

  expect(await asked('bash', 'git status && rm -rf x')).toEqual(['bash', 'command git status', 'command rm -rf x']);
  expect(await asked('bash', 'git', 'log')).toEqual(['bash', 'command git log']);
  expect(await asked('read', 'retry.ts', '../.env')).toEqual(['read', 'path src/retry.ts', 'path .env']);
  expect(await asked('write', 'a.ts')).toEqual(['edit', 'path src/a.ts']);
  expect(await asked('apply-patch', 'a.ts')).toEqual(['edit', 'path src/a.ts']);
  expect(await asked('grep', '/etc')).toEqual(['grep', 'path /etc']);
  expect(await asked('glob', '../docs/*.md')).toEqual(['glob', 'path docs']);
  expect(await asked('web-fetch', 'example.com/page')).toEqual(['web-fetch', 'host example.com']);
  expect(await asked('task', 'explore')).toEqual(['task', 'name explore']);
  expect(await asked('read', '{"filePath":"../docs/colours.md"}')).toEqual(['read', 'path docs/colours.md']);
  expect(await asked('web-search')).toEqual(['web-search']);
});

test('a tool that is not there, one that is decided as a whole, and what a tool cannot read are refused', async () => {
  const workplace = await workplaceIn(codeBase());
  const asking = (tool: string, word: string) => permissionQuestion(workplace, { tool, words: [word], agent: 'build' });

  await expect(asking('no-tool', 'x')).rejects.toThrow('There is no tool named "no-tool" here.');
  await expect(asking('web-search', 'x')).rejects.toThrow(
    '"web-search" is decided as a whole, whatever it is called with: leave "x" out.',
  );
  await expect(asking('bash', '{"command":')).resolves.toMatchObject({ tool: 'bash' });
  await expect(asking('web-fetch', 'http://')).rejects.toMatchObject({ code: 'bad-request' });
});
