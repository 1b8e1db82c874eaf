import { type BackendCapabilities, DragomanError, type HubSession } from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import { type Caller, nearestWord } from '@dragoman/server/base';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { giveCommand } from '../runners/give-command.ts';
import { agentNews } from './agent-news.ts';
import { checkMayActIn, getSession } from './find-session.ts';
import { tellSessionChange } from './tell-change.ts';
import { toActor } from './to-actor.ts';

/** What is to be different. */
export type SessionUpdate = z.output<(typeof HUB_CALLS)['updateSession']['body']>;

/** Renames, pins or archives a session, or changes its model or mode, which the agent is told. */
export async function updateSession(
  parts: HubParts,
  caller: Caller,
  sessionId: string,
  { title, pinned, archived, model, mode }: SessionUpdate,
): Promise<HubSession> {
  await parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    if (title !== undefined || pinned !== undefined || archived !== undefined)
      await change.append([
        {
          at: parts.now(),
          event: {
            type: 'session-updated',
            ...(title !== undefined && { title }),
            ...(pinned !== undefined && { pinned }),
            ...(archived !== undefined && { archived }),
            by: toActor(caller),
          },
        },
      ]);
    if (model !== undefined || mode !== undefined) await configure(parts, change, { model, mode });
  });
  return getSession(parts, caller, sessionId);
}

/** The row has it at once, because it goes along with every command; the log has it when the agent says so. */
async function configure(
  parts: HubParts,
  change: SessionChange,
  { model, mode }: Pick<SessionUpdate, 'model' | 'mode'>,
): Promise<void> {
  const { agent, capabilities_json } = change.session;
  const capabilities = JSON.parse(capabilities_json) as BackendCapabilities;
  if (model !== undefined && capabilities.models !== true)
    throw new DragomanError('bad-request', `model: the agent ${agent} has no models to choose from.`);
  if (mode !== undefined && capabilities.modes !== true)
    throw new DragomanError('bad-request', `mode: the agent ${agent} has no modes to choose from.`);
  if (model !== undefined) await checkChoice(change, 'model', model);
  if (mode !== undefined) await checkChoice(change, 'mode', mode);
  const chosen = { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) };
  await change.set(chosen);
  change.afterCommit(() => tellSessionChange(parts, change.session.id));
  await giveCommand(parts, change, { type: 'configure', ...chosen });
}

const SHOWN_CHOICES = 10;

/**
 * Refuses what the agent does not have, as far as it told what it has. It would keep what it has now, and fail for good
 * with its next start, to which the row goes along.
 */
async function checkChoice({ db, session }: SessionChange, what: 'model' | 'mode', wanted: string): Promise<void> {
  if (wanted === session[what]) return;
  const choices = (await agentNews(db, session.id, `${what}s`)) ?? [];
  if (choices.length === 0 || choices.some(({ id }) => id === wanted)) return;
  const ids = choices.map(({ id }) => id);
  const near = nearestWord(wanted, ids);
  const shown = ids.slice(0, SHOWN_CHOICES).join(', ');
  throw new DragomanError(
    'bad-request',
    `${what}: the agent ${session.agent} has no ${what} ${JSON.stringify(wanted.slice(0, 100))}.${
      near === undefined ? '' : ` Did you mean ${near}?`
    } It has ${ids.length}: ${shown}${ids.length > SHOWN_CHOICES ? ', …' : ''}.`,
  );
}
