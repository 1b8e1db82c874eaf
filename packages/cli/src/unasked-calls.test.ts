import type { LoggedEvent, ToolState } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { UnaskedCalls } from './unasked-calls.ts';

function refused(error: string, metadata: Record<string, unknown> = { denied: true, nobodyToAsk: true }): LoggedEvent {
  const state: ToolState = { status: 'error', input: {}, error, metadata, time: { start: 0, end: 0 } };
  return { seq: 1, at: 0, event: { type: 'tool-result', messageID: 'm', partID: 'p', state } };
}

const hint = (line: string) =>
  `It has to be asked about. Nobody can be asked here, so it was not run. The user can allow it by starting with --yes, or with a line in "permissions" of dragoman.json${line}.`;

test('calls of several tools are counted, and their lines for the permissions become one', () => {
  const calls = new UnaskedCalls();
  calls.add(refused(hint(': "bash": { "npm test *": "allow" }')), () => 'bash');
  calls.add(refused(`${hint(': "bash": { "make *": "allow" }')}\n\n[The same call again.]`), () => 'bash');
  calls.add(refused(hint(': "edit": { "./new.txt": "allow" }')), () => 'write');

  expect(calls.describe()).toBe(
    '3 calls were denied because there was no one to ask: bash (2 times), write. To approve such calls, run with --yes, or add this to dragoman.json: "permissions": { "bash": { "npm test *": "allow", "make *": "allow" }, "edit": { "./new.txt": "allow" } }',
  );
});

test('what a rule denies is not counted, and where no line would help none is told', () => {
  const calls = new UnaskedCalls();
  calls.add(refused('Denied by a rule.', { denied: true }), () => 'bash');
  expect(calls.describe()).toBeUndefined();

  calls.add(refused(hint('')), () => undefined);
  expect(calls.describe()).toBe(
    '1 call was denied because there was no one to ask: a tool. To approve such calls, run with --yes, or add rules to "permissions" in dragoman.json.',
  );
});

test('a whole tool that is allowed takes in its patterns', () => {
  const calls = new UnaskedCalls();
  calls.add(refused(hint(': "x": { "a": "allow" }')), () => 'x');
  calls.add(refused(hint(': "x": "allow"')), () => 'x');
  expect(calls.describe()).toMatch(/: "permissions": \{ "x": "allow" \}$/);
});
