import { DragomanError, newId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

/** What can have bytes inside. */
export interface Attachable {
  type: string;
  data?: string | undefined;
  url?: string | undefined;
  media_type?: string | undefined;
  name?: string | undefined;
}

/** Less than this stays inside the block; an address would hardly be shorter. */
const INLINE_CHARS = 1024;
/** What an attachment may have. */
const MAX_ATTACHMENT_BYTES = 10_000_000;

/**
 * Keeps the bytes of images and files beside the log, which then tells an address in their place: whoever reads a
 * session fetches what it shows, and once.
 *
 * Refuses one that is larger than 10 MB with `too-large`, and text that is not base64 with `bad-request`.
 */
export async function storeAttachments<Block extends Attachable>(
  db: Kysely<HubTables>,
  sessionId: string,
  content: readonly Block[],
): Promise<Block[]> {
  const stored: Block[] = [];
  for (const block of content) stored.push(isLarge(block) ? await storeOne(db, sessionId, block) : block);
  return stored;
}

/** The block has bytes inside that belong beside the log. */
export function isLarge(block: Attachable): block is Attachable & { data: string } {
  return (block.type === 'image' || block.type === 'file') && (block.data?.length ?? 0) > INLINE_CHARS;
}

async function storeOne<Block extends Attachable>(
  db: Kysely<HubTables>,
  sessionId: string,
  block: Block,
): Promise<Block> {
  const { data = '', ...rest } = block;
  const name = block.name ?? `The ${block.type}`;
  if (data.length > Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4)
    throw new DragomanError(
      'too-large',
      `${name} has about ${Math.floor((data.length * 3) / 4)} bytes; the limit is ${MAX_ATTACHMENT_BYTES}. Send a smaller one.`,
    );
  if (/[^A-Za-z0-9+/_=-]|=(?!=?$)/.test(data))
    throw new DragomanError('bad-request', `${name} is not base64; encode its bytes and nothing else.`);
  const id = newId('att');
  await db
    .insertInto('hub_attachments')
    .values({
      id,
      session_id: sessionId,
      name: block.name ?? null,
      media_type: block.media_type ?? 'application/octet-stream',
      bytes: Buffer.from(data, 'base64'),
    })
    .execute();
  return { ...rest, url: attachmentUrl(id) } as unknown as Block;
}

/** Where the bytes of an attachment are. */
function attachmentUrl(id: string): string {
  return `/api/attachments/${id}`;
}

/** The id of an attachment at an address, where it is one of ours. */
export function attachmentId(url: string): string | undefined {
  return /^\/api\/attachments\/(att_[0-9a-z]{26})$/.exec(url)?.[1];
}
