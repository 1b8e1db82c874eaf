import { sessionOf } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { linesOf, render } from '../render.fixture.tsx';
import { WorkingRow } from './working-row.tsx';

test('while an answer is waited for, the time since the question is told, and not that of the whole turn', () => {
  const session = sessionOf();
  session.turn('Mend it.');
  const { startedAt } = session.view().turn!;
  for (let step = 0; step < 40; step++) session.say(`Step ${step}.`);
  session.add({ type: 'approval-asked', approval: { id: 'apr_1', title: 'bash git push', options: [] } });
  const view = session.view();
  const { askedAt } = view.approvals[0]!;
  expect(askedAt - startedAt).toBe(20_500);
  vi.useFakeTimers({ now: askedAt + 5000 });
  onTestFinished(() => void vi.useRealTimers());

  expect(linesOf(render(<WorkingRow view={view} isLive />))).toEqual(['Waiting for input · 5 s']);
});
