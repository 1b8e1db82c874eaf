import type { Approval } from '@dragoman/protocol';
import { expect, onTestFinished, test, vi } from 'vitest';
import { linesOf, render } from '../render.fixture.tsx';
import { ApprovalActions } from './approval-actions.tsx';

const approval: Approval = {
  id: 'apr_1',
  title: 'bash git push',
  options: [
    { id: 'no', name: 'Not now', kind: 'reject_once' },
    { id: 'once', name: 'Yes, once', kind: 'allow_once' },
    { id: 'session', name: 'For this session', kind: 'allow_always' },
  ],
};

const question = { tool: 'bash', subjects: [{ kind: 'command' as const, value: 'git push' }] };

function told(asked: Approval, { mayAct = true, isWhole = true } = {}): string[] {
  return linesOf(render(<ApprovalActions sessionId="ses_1" approval={asked} mayAct={mayAct} isWhole={isWhole} />));
}

test("the agent's own options are there in the agent's order, and a way to say why not [UAP-36]", () => {
  expect(told(approval)).toEqual(['Not now', 'Yes, once', 'For this session', 'Deny with reason…']);
});

test('where a rule can be saved it says which one [UAP-36]', () => {
  const always = [{ tool: 'bash', pattern: 'git push *' }];
  expect(told({ ...approval, question, always })).toEqual([
    'Not now',
    'Yes, once',
    'For this session',
    'Deny with reason…',
    'Always allow in this project',
    'saves the rule: bash git push *',
  ]);
  expect(told({ ...approval, question: { tool: 'bash', subjects: [] }, always })).not.toContain(
    'Always allow in this project',
  );
  // Without a question there is nothing that a rule could be asked.
  expect(told({ ...approval, always })).not.toContain('Always allow in this project');
});

test('a no is possible even where the agent offers none; a question is answered, not denied [UAP-36]', () => {
  expect(told({ ...approval, options: [{ id: 'y', name: 'Yes', kind: 'allow_once' }] })).toEqual([
    'Yes',
    'Deny',
    'Deny with reason…',
  ]);
  const choice = { ...approval, allowsText: true, options: [{ id: 'a', name: 'Tabs', kind: 'answer' as const }] };
  expect(told(choice)).toEqual(['Tabs', 'Answer in your own words', 'Send answer']);
});

test('nothing is hidden in the name of an option', () => {
  const options = [{ id: 'y', name: 'Yes\u00ad\u{e0041}\u3164\u00a0', kind: 'allow_once' as const }];
  expect(told({ ...approval, options })[0]).toBe('Yes⟨U+00AD⟩⟨U+E0041⟩⟨U+3164⟩⟨U+00A0⟩');
});

test('who may only look sees that it is asked, and no button [UAP-36]', () => {
  expect(told(approval, { mayAct: false })).toEqual(['You have view-only access. Ask an admin for the member role.']);
});

test('beside a text that was cut there is a no, and no yes, no "always" and no answer', () => {
  const always = Array.from({ length: 30 }, (_, index) => ({ tool: 'bash', pattern: `tool-${index} *` }));
  const asked = { ...approval, question, always };
  expect(told(asked).at(-1)).toContain('bash tool-29 *');
  expect(told(asked, { isWhole: false })).toEqual(['Not now', 'Deny with reason…']);
  const choice = { ...approval, allowsText: true, options: [{ id: 'a', name: 'Tabs', kind: 'answer' as const }] };
  expect(told(choice, { isWhole: false })).toEqual([]);
});

test('the time that is left is told from now, however long ago the page was opened', () => {
  vi.useFakeTimers({ now: Date.now() + 3 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const expiresAt = Date.now() + 60 * 60_000;

  const shown = <ApprovalActions sessionId="ses_1" approval={approval} expiresAt={expiresAt} mayAct isWhole />;
  expect(linesOf(render(shown)).at(-1)).toBe('Expires in 1 h');
});
