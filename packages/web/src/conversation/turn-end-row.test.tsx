import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { linesOf, renderSession } from '../render.fixture.tsx';

test('what helps after a turn that was interrupted is said until a later prompt was sent', () => {
  const help = 'Send a prompt to continue where it left off.';
  const session = sessionOf();
  session.turn('Mend it.');
  session.endTurn('interrupted');
  expect(linesOf(renderSession(session.view()))).toContain(help);

  session.turn('Go on.');
  const lines = linesOf(renderSession(session.view()));
  expect(lines).toContain('Interrupted: the agent’s process exited');
  expect(lines).not.toContain(help);
});
