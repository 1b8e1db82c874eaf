import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test, vi } from 'vitest';
import { fixture } from '../mcp/mcp.fixture.ts';
import { agentConfig, testAgent } from '../open-agent.fixture.ts';
import { scriptedModel } from '../scripted-model.fixture.ts';
import { writeSkill } from '../skills/skill.fixture.ts';
import { describeWorkplace } from './describe-workplace.ts';

const nothing = { disabled: [] };
const model = scriptedModel([]);

test('what agents find in a folder is told: agents, tools, skills and instructions, each with what is wrong', async () => {
  const root = realpathSync(tempFolder());
  const skills = join(root, '.dragoman/skills');
  writeSkill(skills, 'deploy');
  writeSkill(join(root, '.claude/skills'), 'deploy');
  writeSkill(skills, 'broken');
  writeFileSync(join(skills, 'broken/SKILL.md'), '---\nname: broken\ndescription: [1]\n---\nText');
  const { agent } = await testAgent(model, {
    root,
    files: {
      'AGENTS.md': 'Be calm.',
      'src/AGENTS.md': 'Be exact.',
      '.dragoman/tools/dice.mjs': 'export default { description: "Rolls a die.", execute: async () => "4" };',
      '.dragoman/tools/wrong.mjs': 'export default 5;',
      '.dragoman/agents/calm.md': '---\ndescription: Works calmly.\n---\nYou are calm.',
    },
    config: () =>
      agentConfig({ agent: { skills: ['./absent'], instructions: ['no.md'], tools: { trustedProjects: ['*'] } } }),
  });

  const described = await describeWorkplace(await agent.workplace(join(root, 'src')), { disabled: ['web-search'] });

  expect(described.root).toBe(root);
  expect(described.agents).toContainEqual({ name: 'calm', description: 'Works calmly.' });
  const names = described.tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['bash', 'read', 'skill', 'dice', 'task']));
  expect(names).not.toContain('web-search');
  expect(described.tools).toContainEqual({ name: 'dice', description: 'Rolls a die.' });
  expect(described.mcp).toEqual([]);
  expect(described.skills).toEqual([
    { name: 'deploy', description: 'Does deploy.', path: join(skills, 'deploy/SKILL.md') },
    {
      name: 'broken',
      description: '',
      path: join(skills, 'broken/SKILL.md'),
      problem: expect.stringMatching(/^line 3: "description" must be text/),
    },
    {
      name: 'deploy',
      description: '',
      path: join(root, '.claude/skills/deploy/SKILL.md'),
      problem: `the skill "deploy" of ${join(skills, 'deploy/SKILL.md')} is used instead`,
    },
    {
      name: 'absent',
      description: '',
      path: join(root, 'absent'),
      problem: 'the folder cannot be read (ENOENT)',
    },
  ]);
  expect(described.instructions).toEqual([join(root, 'AGENTS.md'), join(root, 'src/AGENTS.md')]);
  expect(described.problems).toEqual([
    expect.stringContaining('.dragoman/tools/wrong.mjs'),
    `${join(root, 'no.md')}: there is no such file`,
  ]);
});

test('a skill that was mended since is told as it is now', async () => {
  const { agent, root } = await testAgent(model, { files: { '.dragoman/skills/deploy/SKILL.md': 'nothing' } });
  const workplace = await agent.workplace(root);
  const skills = async () => (await describeWorkplace(workplace, nothing)).skills.map(({ problem }) => problem);

  expect(await skills()).toEqual(['line 1: there is no front matter; the first line must be "---"']);
  writeSkill(join(root, '.dragoman/skills'), 'deploy');
  expect(await skills()).toEqual([undefined]);
  rmSync(join(root, '.dragoman/skills'), { recursive: true });
  expect(await skills()).toEqual([]);
});

test('MCP servers are told as they stand, with their tools, without secrets, and as the configuration changes', async () => {
  const good = { command: fixture('stdio-server'), env: { API_KEY: 'very-secret-key' } };
  let config = agentConfig({
    mcp: {
      good,
      crash: { command: fixture('stdio-server', 'crash'), env: { API_KEY: 'very-secret-key' } },
      absent: { command: ['no-such-program-here', '--token=very-secret-key'] },
      silent: { command: fixture('odd-server', 'silent') },
      off: { url: 'https://example.com/mcp?key=very-secret-key', enabled: false },
    },
  });
  const { agent, root } = await testAgent(model, { config: () => config });
  const workplace = await agent.workplace(root);
  // Until they were tried, however long that takes here; the silent one is not waited for.
  await Promise.all(['good', 'crash', 'absent'].map((name) => workplace.mcp!.login(name)));

  // One that crashed is tried again and again, and is told in between.
  const described = await vi.waitFor(
    async () => {
      const told = await describeWorkplace(workplace, { ...nothing, mcpMs: 1 });
      expect(told.mcp.find(({ name }) => name === 'crash')?.state).toBe('failed');
      return told;
    },
    { timeout: 120_000 },
  );

  expect(described.mcp.map(({ name, state, problem }) => [name, state, problem?.code])).toEqual([
    ['good', 'connected', undefined],
    ['crash', 'failed', 'exited'],
    ['absent', 'failed', 'command-not-found'],
    ['silent', 'connecting', undefined],
    ['off', 'disabled', undefined],
  ]);
  expect(described.mcp[0]).toMatchObject({ target: fixture('stdio-server').join(' ') });
  expect(described.mcp[0]!.tools).toContainEqual({ name: 'echo', description: 'Says it again.\n\nExactly.' });
  expect(described.mcp[2]!.target).toBe('no-such-program-here --token=••••••');
  expect(described.mcp[4]!.target).toBe('https://example.com/mcp?key=••••••');
  expect(described.tools.map(({ name }) => name)).toContain('good_echo');
  expect(JSON.stringify(described)).not.toContain('very-secret-key');

  config = agentConfig({ mcp: { good } });
  expect((await describeWorkplace(workplace, nothing)).mcp.map(({ name }) => name)).toEqual(['good']);
});
