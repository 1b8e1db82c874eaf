import { DragomanError } from '@dragoman/protocol';
import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { checkMayActIn } from '../sessions/find-session.ts';
import { toActor } from '../sessions/to-actor.ts';

/** Takes a prompt back that waits. One that was withdrawn before is withdrawn; one that the agent has is not. */
export function withdrawPrompt(
  parts: HubParts,
  caller: Caller,
  { sessionId, promptId, channel }: { sessionId: string; promptId: string; channel?: string | undefined },
): Promise<void> {
  return parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    const row = await change.db
      .selectFrom('hub_prompts')
      .select('state')
      .where('session_id', '=', sessionId)
      .where('id', '=', promptId)
      .executeTakeFirst();
    if (row === undefined)
      throw new DragomanError(
        'not-found',
        `There is no prompt ${JSON.stringify(promptId.slice(0, 100))} in this session.`,
      );
    if (row.state === 'withdrawn') return;
    if (row.state !== 'queued')
      throw new DragomanError('conflict', 'The agent already has this prompt. Stop the turn instead.');
    await change.append([
      { at: parts.now(), event: { type: 'prompt-withdrawn', promptId, by: toActor(caller, channel) } },
    ]);
  });
}
