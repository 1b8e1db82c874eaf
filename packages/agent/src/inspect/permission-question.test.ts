import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testAgent } from '../open-agent.fixture.ts';
import { scriptedModel } from '../scripted-model.fixture.ts';
import type { Workplace } from '../workplace/workplace.ts';
import { permissionQuestion } from './permission-question.ts';

/** A folder of a project, with every tool. */
async function workplaceIn(folder: string): Promise<Workplace> {
  const files = { 'src/retry.ts': 'export {};', 'docs/colours.md': '# Colours', '.env': 'API_KEY=1' };
  const { agent, root } = await testAgent(scriptedModel([]), { files });
  return agent.workplace(join(root, folder));
}

test('each tool says itself what a call would touch, seen from where one is; arguments can be given whole', async () => {
  const workplace = await workplaceIn('src');
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
  const workplace = await workplaceIn('.');
  const asking = (tool: string, word: string) => permissionQuestion(workplace, { tool, words: [word], agent: 'build' });

  await expect(asking('no-tool', 'x')).rejects.toThrow('There is no tool named "no-tool" here.');
  await expect(asking('web-search', 'x')).rejects.toThrow(
    '"web-search" is decided as a whole, whatever it is called with: leave "x" out.',
  );
  for (const tool of ['bash', 'read', 'glob', 'grep', 'edit', 'write', 'apply-patch', 'web-fetch', 'task'])
    await expect(asking(tool, '{"command":5,"filePath":[],"path":{},"pattern":5,"url":5,"uri":5}')).rejects.toThrow(
      `The arguments do not fit the tool "${tool}"`,
    );
  await expect(asking('bash', '{"command":')).resolves.toMatchObject({ tool: 'bash' });
  await expect(asking('web-fetch', 'http://')).rejects.toMatchObject({ code: 'bad-request' });
});
