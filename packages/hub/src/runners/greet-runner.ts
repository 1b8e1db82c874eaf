import type { RunnerHello, RunnerWelcome } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { tellRunnerChange } from '../sessions/tell-change.ts';
import { checkOwnsRunner } from './runner-access.ts';

/**
 * Takes note of a runner that connects. It belongs to whoever's token it came with first. With a new outbox, numbers
 * start again; commands that were not carried out stay as they are.
 */
export async function greetRunner(parts: HubParts, caller: Caller, hello: RunnerHello): Promise<RunnerWelcome> {
  const acked = await parts.db.transaction().execute(async (db) => {
    const said = {
      name: hello.name,
      host: hello.host,
      version: hello.version,
      is_shared: hello.isShared ? 1 : 0,
      folders_json: JSON.stringify(hello.folders),
      agents_json: JSON.stringify(hello.agents),
      outbox_id: hello.outboxId,
    };
    const isNew = await db
      .insertInto('hub_runners')
      .values({
        id: hello.id,
        ...said,
        owner_id: caller.userId,
        owner_name: caller.userName,
        acked: 0,
        handled: 0,
        commanded: 0,
        last_seen_at: parts.now(),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (isNew !== undefined) return 0;

    const known = await db.selectFrom('hub_runners').selectAll().where('id', '=', hello.id).executeTakeFirstOrThrow();
    checkOwnsRunner(caller, known);
    const isSameOutbox = known.outbox_id === hello.outboxId;
    await db
      .updateTable('hub_runners')
      .set({ ...said, ...(!isSameOutbox && { acked: 0 }) })
      .where('id', '=', hello.id)
      .execute();
    return isSameOutbox ? known.acked : 0;
  });
  tellRunnerChange(parts, hello.id);
  return { acked };
}
