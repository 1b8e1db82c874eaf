import { sessionOf } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { linesOf, renderSession } from '../render.fixture.tsx';

test('what helps after a turn that was interrupted is said until a later prompt was sent', () => {
  const help = 'Send a prompt to continue where it left off.';
  const session = sessionOf();
  session.add({ type: 'agent-updated', capabilities: { resume: true } });
  session.turn('Mend it.');
  session.endTurn('interrupted');
  expect(linesOf(renderSession(session.view()))).toContain(help);

  session.turn('Go on.');
  const lines = linesOf(renderSession(session.view()));
  expect(lines).toContain('Interrupted: the agent’s process exited');
  expect(lines).not.toContain(help);
});

test('an interrupted turn goes on with one press where the agent can resume, and begins anew where it cannot', () => {
  const interrupted = (capabilities: { resume?: boolean }) => {
    const session = sessionOf();
    session.add({ type: 'agent-updated', capabilities });
    session.turn('Mend it.');
    session.endTurn('interrupted');
    return linesOf(renderSession(session.view(), { onTryAgain: () => {} })).slice(-3);
  };

  expect(interrupted({ resume: true })).toEqual([
    'Interrupted: the agent’s process exited',
    'Send a prompt to continue where it left off.',
    'Continue',
  ]);
  expect(interrupted({})).toEqual([
    'Interrupted: the agent’s process exited',
    'This agent can’t resume. Send the prompt again to start over.',
    'Try again',
  ]);
});
