import {
  type AgentOffer,
  DragomanError,
  type HubPrompt,
  type HubSession,
  type HubSessionInfo,
  newId,
  titleOfWords,
} from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import { storeAttachments } from '../attachments/store-attachments.ts';
import type { HubParts } from '../hub-parts.ts';
import { promptContent, sendPrompt } from '../inbox/send-prompt.ts';
import type { SessionChange, SessionRow } from '../log/session-change.ts';
import { giveCommand } from '../runners/give-command.ts';
import { checkTakesWork } from '../runners/away-machine.ts';
import { checkMayUseRunner } from '../runners/runner-access.ts';
import { findFolder } from './find-folder.ts';
import { chooseRunner } from './choose-runner.ts';
import { findOffer } from './find-offer.ts';
import { getSession } from './find-session.ts';
import { toActor } from './to-actor.ts';

/** A session as a person asks for it. */
export type SessionBody = z.output<(typeof HUB_CALLS)['createSession']['body']>;

/**
 * Starts a session. The machine may be away: then the agent starts when it comes back. With an id of the client's own,
 * a repeated call is the same session.
 */
export async function createSession(
  parts: HubParts,
  caller: Caller,
  body: SessionBody,
  signal: AbortSignal,
): Promise<HubSession> {
  const content = body.prompt === undefined ? undefined : promptContent(body.prompt);
  const runner = await chooseRunner(parts, caller, body);
  checkMayUseRunner(caller, runner);
  checkTakesWork(parts, runner);
  const folder = await findFolder(parts, runner, body.folder, signal);
  const offer = await findOffer(parts, runner, body.agent, signal);
  const words = content?.find((block) => block.type === 'text')?.text;

  const info: HubSessionInfo = {
    id: body.id ?? newId('ses'),
    title: body.title ?? (titleOfWords(words) || offer.title || offer.name),
    ...(body.title !== undefined && { isNamed: true }),
    agent: offer.name,
    runnerId: runner.id,
    folder,
    ...(body.worktree === true && { worktree: true }),
    ...(body.model !== undefined && { model: body.model }),
    ...(body.mode !== undefined && { mode: body.mode }),
    by: toActor(caller, body.prompt?.channel),
  };
  const { session, isNew } = await parts.log.create(info, {
    byUserId: caller.userId,
    at: parts.now(),
    work: async (change) => begin(parts, change, { body, offer, content, caller }),
  });
  if (!isNew) await checkSame(parts, caller, session, info, body);
  return getSession(parts, caller, info.id);
}

interface Beginning {
  body: SessionBody;
  offer: AgentOffer;
  content: HubPrompt['content'] | undefined;
  caller: Caller;
}

/** With a prompt the agent starts for it; without one it starts all the same, so that its models and modes are known. */
async function begin(
  parts: HubParts,
  change: SessionChange,
  { body, offer, content, caller }: Beginning,
): Promise<void> {
  await change.set({ capabilities_json: JSON.stringify(offer.capabilities) });
  if (content === undefined) return void (await giveCommand(parts, change, { type: 'open' }));
  const prompt: HubPrompt = {
    id: body.prompt?.id ?? newId('msg'),
    content: await storeAttachments(change.db, change.session.id, content),
    delivery: 'queue',
    by: toActor(caller, body.prompt?.channel),
  };
  await change.append([{ at: parts.now(), event: { type: 'prompt-queued', prompt } }]);
}

/**
 * A repeated call has the first one's answer; the same id for something else is a mistake. Two such calls at once may have
 * chosen two machines, where none was named: the session is on that of the first.
 */
async function checkSame(
  parts: HubParts,
  caller: Caller,
  session: SessionRow,
  info: HubSessionInfo,
  body: SessionBody,
): Promise<void> {
  const isSame =
    session.by_user_id === caller.userId &&
    session.agent === info.agent &&
    (body.runnerId === undefined || session.runner_id === body.runnerId) &&
    session.folder === info.folder;
  if (!isSame)
    throw new DragomanError('conflict', `The id ${info.id} is that of another session; a new session needs a new id.`);
  if (body.prompt?.id !== undefined) await sendPrompt(parts, caller, info.id, body.prompt);
}
