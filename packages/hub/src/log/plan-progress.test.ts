import type { ContentBlock, RunnerEvent } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openHubDoor } from '../hub-door.fixture.ts';

type Plan = Extract<ContentBlock, { type: 'plan' }>;

for (const engine of STORE_ENGINES)
  test(`${engine}: lists tell how far the plan of an agent is, without what was given up`, async () => {
    const door = await openHubDoor({ engine, now: () => 1000 });
    const runner = await door.runner();
    const { client } = door.owner;
    const { id: sessionId } = await client.createSession({ agent: 'scribe', folder: '/code' });
    const planOf = async (...statuses: Plan['entries'][number]['status'][]) => {
      const entries = statuses.map((status) => ({ content: 'Look', status }));
      const event: RunnerEvent = {
        type: 'block-stop',
        messageId: 'm1',
        blockId: 'b1',
        role: 'assistant',
        block: { type: 'plan', entries },
      };
      await runner.send([{ sessionId, at: 2000, event }]);
      return (await client.listSessions()).sessions[0]!.plan;
    };

    expect((await client.getSession({ sessionId })).plan).toBe(undefined);
    expect(await planOf('completed', 'in_progress', 'pending')).toEqual({ done: 1, total: 3 });
    expect(await planOf('completed', 'completed', 'cancelled')).toEqual({ done: 2, total: 2 });
    expect(await planOf()).toBe(undefined);
  });
