import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { giveCommand } from '../runners/give-command.ts';
import { endTurnWhileAway, isAway } from '../sessions/end-while-away.ts';
import { checkMayActIn } from '../sessions/find-session.ts';
import { toActor } from '../sessions/to-actor.ts';
import { sentPrompts } from './sent-prompts.ts';

/**
 * Calls the running turn off; says which, or nothing where none runs. A prompt that was just sent counts: its turn is
 * called off as soon as it begins. What waits behind it goes on. Where the machine is away, the turn is over at once.
 */
export function cancelTurn(parts: HubParts, caller: Caller, sessionId: string): Promise<{ turnId?: string }> {
  return parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    if (await isAway(parts, change)) return endTurnWhileAway(parts, change, toActor(caller));
    const { turn_id: turnId } = change.session;
    if (turnId !== null) {
      await giveCommand(parts, change, { type: 'cancel', turnId });
      return { turnId };
    }
    const [promptId] = await sentPrompts(change.db, sessionId);
    if (promptId !== undefined) await giveCommand(parts, change, { type: 'cancel', promptId });
    return {};
  });
}
