import { sessionOf } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { linesOf, renderSession } from '../render.fixture.tsx';

test('a provider that asks for patience is said to be asked again, with the seconds until then', () => {
  const session = sessionOf();
  session.turn('go');
  const text = 'Rate limited. Retrying in 20 s (attempt 2 of 6): Slow down.';
  session.block('agent', { type: 'notice', level: 'warning', text });
  const view = session.view();
  const { startedAt } = view.messages.at(-1)!.blocks[0]!;
  vi.useFakeTimers({ now: startedAt + 2000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(linesOf(renderSession(view))).toContain('Rate limited. Retrying in 18 s (attempt 2 of 6)');

  vi.setSystemTime(startedAt + 20_500);
  expect(linesOf(renderSession(view)).slice(-2)).toEqual(['Rate limited. Retrying (attempt 2 of 6)', 'Slow down.']);
});
