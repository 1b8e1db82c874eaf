import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { checkAgent } from '../../check/check-agent.ts';
import { command, say, testCodex } from './codex.fixture.ts';
import type { Step } from './fake-codex.fixture.ts';

test('the check of agents finds nothing wrong with Codex (a stand-in; the real program needs an account) [UAP-17, UAP-22]', async () => {
  const [cwd, state] = [tempFolder(), tempFolder()];
  const script: Step[] = [
    { item: { type: 'reasoning', id: 'rs_$', summary: ['Let me look.'], content: [] } },
    { begin: command('call_$', 'ls', { status: 'inProgress' }) },
    {
      ask: ['item/commandExecution/requestApproval', { itemId: 'call_$', command: 'ls' }],
      onYes: [{ complete: command('call_$', 'ls', { aggregatedOutput: 'a.txt' }) }, say('word '.repeat(100), 'msg_$')],
      onNo: [{ complete: command('call_$', 'ls', { status: 'declined' }) }],
    },
  ];

  const report = await checkAgent({
    create: () => testCodex({ cwd, state }).backend,
    cwd,
    prompt: JSON.stringify(script),
  });

  expect(report.rules.filter(({ status }) => status === 'failed')).toEqual([]);
  expect(report.rules.filter(({ status }) => status === 'passed').map(({ id }) => id)).toEqual(
    expect.arrayContaining(['cancel-ends-turn', 'resume-works', 'streams-live', 'approvals-once']),
  );
});
