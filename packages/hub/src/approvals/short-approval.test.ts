import { type Approval, askedAbout, mayAnswer } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { keptApproval, shortApproval } from './short-approval.ts';

const OPTIONS: Approval['options'] = [
  { id: 'yes', name: 'Allow once', kind: 'allow_once' },
  { id: 'no', name: 'Reject', kind: 'reject_once' },
];

const asking = (more: Partial<Approval>): Approval => ({ id: 'a-1', title: 'Run it', options: OPTIONS, ...more });

test('a question of any usual size is kept as it came', () => {
  const written = 'x'.repeat(100_000);
  const approval = asking({
    call: { name: 'write', input: { path: 'a.ts', content: written } },
    diffs: [{ path: 'a.ts', unified: written }],
    question: { tool: 'write', subjects: [{ kind: 'path', value: 'a.ts' }] },
  });

  expect(keptApproval(approval)).toBe(approval);
});

test.each<[string, Partial<Approval>]>([
  ['a long title', { title: 'x'.repeat(300_000) }],
  ['a long command', { call: { name: 'bash', input: { command: 'x'.repeat(300_000) } } }],
  ['a long change', { diffs: [{ path: 'a.ts', unified: 'x'.repeat(300_000) }] }],
  ['many subjects', { asked: Array.from({ length: 1_001 }, () => ({ kind: 'command' as const, value: 'x x x' })) }],
  [
    'many subjects for the rules',
    { question: { tool: 'bash', subjects: Array.from({ length: 1_001 }, () => ({ kind: 'command', value: 'x' })) } },
  ],
])('one with %s is kept short, and no screen offers a yes beside it', (_what, more) => {
  const kept = keptApproval(asking(more));

  expect(kept).toEqual({
    id: 'a-1',
    title: more.title === undefined ? 'Run it' : `${'x'.repeat(999)}…`,
    options: OPTIONS,
    toolUseId: 'a-1',
  });
  const { isWhole } = askedAbout(kept);
  expect(kept.options.filter((option) => mayAnswer(option, isWhole)).map(({ id }) => id)).toEqual(['no']);
});

test('what is short stays, and what is made short is short', () => {
  const small = asking({ call: { name: 'bash', input: { command: 'npm test' } } });
  const many = Array.from({ length: 2_000 }, (_, id) => ({
    id: `${id}`,
    name: 'x'.repeat(500),
    kind: 'answer' as const,
  }));

  expect(shortApproval(small, 300)).toBe(small);
  expect(shortApproval(asking({ options: many }), 1e6).options).toHaveLength(20);
  expect(JSON.stringify(shortApproval(asking({ options: many, reason: 'x'.repeat(1e5) }), 1e6)).length).toBeLessThan(
    10_000,
  );
});
