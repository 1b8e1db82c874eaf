import { isDeepStrictEqual } from 'node:util';
import { DragomanError, type HubPrompt, newId, type PromptBlock } from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import { inlineContent } from '../attachments/inline-content.ts';
import { storeAttachments } from '../attachments/store-attachments.ts';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { checkTakesWork } from '../runners/away-machine.ts';
import { findRunner } from '../runners/runner-access.ts';
import { checkMayActIn } from '../sessions/find-session.ts';
import { toActor } from '../sessions/to-actor.ts';

/** A prompt as a person sends it. */
export type PromptBody = z.output<(typeof HUB_CALLS)['sendPrompt']['body']>;

/** What the sender is told: the prompt is stored, and how it will reach the agent. */
export interface SentPrompt {
  promptId: string;
  isNew: boolean;
  delivery: HubPrompt['delivery'];
}

/** Resolves once the prompt is stored. The agent may take it up later, after a restart of anything in between. */
export function sendPrompt(parts: HubParts, caller: Caller, sessionId: string, body: PromptBody): Promise<SentPrompt> {
  const content = promptContent(body);
  return parts.log.change(sessionId, async (change) => {
    await checkMayActIn(caller, change);
    const known = body.id === undefined ? undefined : await findSent(change, body.id, content);
    if (known !== undefined) return known;
    const prompt: HubPrompt = {
      id: body.id ?? newId('msg'),
      content: await storeAttachments(change.db, sessionId, content),
      delivery: body.delivery === 'steer' && canSteerNow(change) ? 'steer' : 'queue',
      by: toActor(caller, body.channel),
    };
    checkTakesWork(parts, await findRunner(change.db, change.session.runner_id));
    checkQueue(parts, change);
    await change.append([{ at: parts.now(), event: { type: 'prompt-queued', prompt } }]);
    return { promptId: prompt.id, isNew: true, delivery: prompt.delivery };
  });
}

/** The words and what is attached to them. Refuses a prompt that says nothing. */
export function promptContent({ text, content = [] }: PromptBody): PromptBlock[] {
  const blocks: PromptBlock[] = [
    ...(text === undefined || text === '' ? [] : [{ type: 'text' as const, text }]),
    ...content,
  ];
  if (blocks.some((block) => block.type !== 'text' || block.text.trim() !== '')) return blocks;
  throw new DragomanError('bad-request', 'text: the prompt is empty. Write something, or attach an image or file.');
}

/** The answer of the first time, for a prompt that was sent before. */
async function findSent(
  { db, session }: SessionChange,
  promptId: string,
  content: readonly PromptBlock[],
): Promise<SentPrompt | undefined> {
  const row = await db
    .selectFrom('hub_prompts')
    .select(['delivery', 'content_json'])
    .where('session_id', '=', session.id)
    .where('id', '=', promptId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const stored = await inlineContent(db, JSON.parse(row.content_json) as PromptBlock[]);
  if (isDeepStrictEqual(comparable(stored), comparable(await inlineContent(db, content))))
    return { promptId, isNew: false, delivery: row.delivery };
  throw new DragomanError(
    'conflict',
    `The id ${JSON.stringify(promptId)} is that of another prompt in this session; a new prompt needs a new id.`,
  );
}

function canSteerNow({ session }: SessionChange): boolean {
  const { steer } = JSON.parse(session.capabilities_json) as { steer?: boolean };
  return session.turn_id !== null && steer === true;
}

function checkQueue({ config }: HubParts, { session }: SessionChange): void {
  const { maxQueued } = config().hub;
  if (session.queued >= maxQueued)
    throw new DragomanError(
      'conflict',
      `${session.queued} prompts are already queued in this session; the limit is ${maxQueued}. Remove some, or wait.`,
    );
}

/** Bytes can be written as base64 in more than one way, and a field that is undefined is one that is not there. */
function comparable(content: readonly PromptBlock[]): unknown {
  const blocks = content.map((block) =>
    'data' in block && block.data !== undefined
      ? { ...block, data: Buffer.from(block.data, 'base64').toString('base64') }
      : block,
  );
  return JSON.parse(JSON.stringify(blocks));
}
