import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { checkAgent } from '../../check/check-agent.ts';
import { result, say, testClaude, use } from './claude.fixture.ts';

test('the check of agents finds nothing wrong with Claude Code (a stand-in; the real program needs an account) [UAP-17, UAP-20]', async () => {
  const [cwd, state] = [tempFolder(), tempFolder()];
  const script = [
    { message: [{ type: 'thinking', thinking: 'Let me look.', signature: 'c2ln' }] },
    use('toolu_$', 'Bash', { command: 'ls' }),
    {
      ask: { tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: 'toolu_$' },
      onYes: [result('toolu_$', 'a.txt'), say('word '.repeat(100))],
    },
  ];

  const report = await checkAgent({
    create: () => testClaude({ cwd, state }).backend,
    cwd,
    prompt: JSON.stringify(script),
  });

  expect(report.rules.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report.rules.filter(({ status }) => status === 'passed').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['cancel-ends-turn', 'resume-works', 'streams-live', 'approvals-once']),
  );
});
