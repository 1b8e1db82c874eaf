import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';

type Move = 'send' | 'withdraw' | 'finish' | 'fail' | 'reconnect' | 'away' | 'restart';

test('whatever happens between, prompts are taken up in their order, each once, and none is lost', async () => {
  const door = await openHubDoor();
  const { client } = door.owner;
  const runner = await door.runner();
  const moves = fc.array(
    fc.constantFrom<Move>('send', 'send', 'withdraw', 'finish', 'finish', 'fail', 'reconnect', 'away', 'restart'),
    { minLength: 1, maxLength: 25 },
  );

  await fc.assert(
    fc.asyncProperty(moves, async (list) => {
      runner.link = door.hub.link(door.owner.caller);
      await runner.leave();
      await runner.connect();
      runner.commands.length = 0;
      const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code' });
      const expected: string[] = [];
      const taken: string[] = [];
      let turnId: string | undefined;
      let isHere = true;
      let count = 0;

      const takeUp = async () => {
        if (!isHere) return;
        await runner.caughtUp(client);
        for (const command of runner.commands.splice(0)) {
          if (command.session.sessionId !== sessionId) continue;
          if (command.command.type === 'open')
            await runner.say(sessionId, [{ type: 'agent-state', state: 'ready' }], command);
          if (command.command.type !== 'prompt') continue;
          expect(turnId).toBeUndefined();
          const promptId = command.command.prompt.id;
          if (taken.includes(promptId)) continue; // Sent again after a break, and ignored as a runner does.
          taken.push(promptId);
          turnId = `t-${promptId}`;
          await runner.say(sessionId, [{ type: 'turn-started', turnId, promptId }], command);
        }
      };
      const come = async () => {
        await runner.connect();
        isHere = true;
      };
      const finish = async (state?: 'failed') => {
        if (turnId === undefined) return;
        const end = { type: 'turn-finished' as const, turnId, reason: 'done' as const };
        turnId = undefined;
        await runner.say(sessionId, state === undefined ? [end] : [{ type: 'agent-state', state }]);
      };

      for (const move of list) {
        if (move === 'send') {
          const id = `p-${++count}`;
          await client.sendPrompt({ sessionId, id, text: id });
          expected.push(id);
        } else if (move === 'withdraw') {
          const last = expected.at(-1);
          const isGone =
            last !== undefined &&
            (await client.withdrawPrompt({ sessionId, promptId: last }).then(
              () => true,
              () => false,
            ));
          if (isGone) expected.pop();
        } else if (move === 'finish') await finish();
        else if (move === 'fail') await finish('failed');
        else if (move === 'away') {
          await runner.leave();
          isHere = false;
        } else if (move === 'reconnect') await come();
        else {
          await door.reopen();
          runner.link = door.hub.link(door.owner.caller);
          await come();
        }
        await takeUp();
      }
      if (!isHere) await come();
      for (await takeUp(); turnId !== undefined; await takeUp()) await finish();

      expect(taken).toEqual(expected);
      expect(await client.getSession({ sessionId })).toMatchObject({ queued: 0 });
    }),
    { seed: 7, numRuns: rounds(400), endOnFailure: true },
  );
});
