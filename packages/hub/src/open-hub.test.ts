import { foldHubEvents, type NumberedCommand, type RunnerEvent } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { approvalAsked, openHubDoor, type HubDoor } from './hub-door.fixture.ts';
import { said, type ScriptedRunner } from './scripted-runner.fixture.ts';

/**
 * Does what it is told as a real runner does: each command once, and says so with the first thing that came of it. Gives
 * back how to take the next command up, which tells whether there was one.
 */
function workStepByStep(runner: ScriptedRunner): () => Promise<boolean> {
  let last = 0;
  let turns = 0;
  const eventsOf = ({ command }: NumberedCommand): RunnerEvent[] => {
    switch (command.type) {
      case 'open':
        return [{ type: 'agent-state', state: 'ready' }];
      case 'prompt':
        turns += 1;
        return [{ type: 'turn-started', turnId: `t${turns}`, promptId: command.prompt.id }, approvalAsked(`a${turns}`)];
      case 'answer':
        return [
          said(`answered ${JSON.stringify(command.reply)}`, `b${turns}`),
          { type: 'turn-finished', turnId: `t${turns}`, reason: 'done' },
        ];
      default:
        return [];
    }
  };
  return async () => {
    const command = runner.commands.find(({ number }) => number > last);
    if (command === undefined) return false;
    last = command.number;
    await runner.say(command.session.sessionId, eventsOf(command), command);
    return true;
  };
}

/** A conversation of two prompts with an approval each; `between` happens after every step of it. */
async function converse(door: HubDoor, between: (runner: ScriptedRunner) => Promise<void>): Promise<unknown> {
  const { client } = door.owner;
  const runner = await door.runner();
  const step = workStepByStep(runner);
  const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code', title: 'Talk' });
  const actions = [
    () => client.sendPrompt({ sessionId, id: 'p-1', text: 'one' }),
    () => client.sendPrompt({ sessionId, id: 'p-2', text: 'two' }),
    () => client.decideApproval({ sessionId, approvalId: 'a1', optionId: 'yes' }),
    () => client.decideApproval({ sessionId, approvalId: 'a2', reject: true }),
  ];
  await between(runner);
  for (const action of actions) {
    await action();
    await between(runner);
    for (;;) {
      await runner.caughtUp(client);
      if (!(await step())) break;
      await between(runner);
    }
  }
  const { events } = await client.readLog({ sessionId });
  const view = foldHubEvents(events)!;
  return {
    types: events.map(({ event }) => event.type),
    texts: view.messages.flatMap(({ blocks }) =>
      blocks.map(({ block }) => ('text' in block ? block.text : block.type)),
    ),
    session: await client.getSession({ sessionId }).then(({ status, queued, seq }) => ({ status, queued, seq })),
  };
}

for (const engine of STORE_ENGINES) {
  test(`${engine}: UAP-03 a conversation in which the hub restarts after every step is the same as one in which it never does`, async () => {
    const whole = await converse(await openHubDoor({ engine }), async () => {});
    const door = await openHubDoor({ engine });

    const broken = await converse(door, async (runner) => {
      await door.reopen();
      runner.link = door.hub.link(door.owner.caller);
      await runner.connect();
    });

    expect(broken).toEqual(whole);
    expect(whole).toMatchObject({
      texts: [
        'one',
        'approval',
        'answered {"type":"selected","optionId":"yes"}',
        'two',
        'approval',
        'answered {"type":"selected","optionId":"no"}',
      ],
      session: { status: 'idle', queued: 0 },
    });
  });
}
