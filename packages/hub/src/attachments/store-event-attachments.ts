import type { ContentBlock, HubEvent } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import { isLarge, storeAttachments } from './store-attachments.ts';

/**
 * The event with addresses in place of large bytes. What an agent shows is never refused: where an attachment cannot be
 * kept, a notice says why.
 */
export async function storeEventAttachments<Event extends HubEvent>(
  db: Kysely<HubTables>,
  sessionId: string,
  event: Event,
): Promise<Event> {
  if (!('block' in event) || !hasLarge(event.block)) return event;
  return { ...event, block: await storeOfBlock(db, sessionId, event.block) };
}

/** A quick look, because nearly no block has any. */
function hasLarge(block: ContentBlock): boolean {
  return block.type === 'tool_result' ? (block.attachments?.some(isLarge) ?? false) : isLarge(block);
}

async function storeOfBlock(db: Kysely<HubTables>, sessionId: string, block: ContentBlock): Promise<ContentBlock> {
  if (block.type !== 'tool_result') {
    try {
      return (await storeAttachments(db, sessionId, [block]))[0]!;
    } catch (error) {
      return { type: 'notice', level: 'warning', text: leftOut(error) };
    }
  }
  const attachments: NonNullable<typeof block.attachments> = [];
  let { content } = block;
  for (const attachment of block.attachments ?? []) {
    try {
      attachments.push(...(await storeAttachments(db, sessionId, [attachment])));
    } catch (error) {
      content += `\n(${leftOut(error)})`;
    }
  }
  return { ...block, content, attachments };
}

/** Refused before anything is written, so the transaction goes on; what the database says is another matter. */
function leftOut(error: unknown): string {
  if (!(error instanceof Error) || error.name !== 'DragomanError') throw error;
  return `An attachment was left out: ${error.message}`;
}
