import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import { attachmentId, type Attachable } from './store-attachments.ts';

/** Puts the bytes of attachments back into their blocks, for a runner, which has no other way to them. */
export async function inlineContent<Block extends Attachable>(
  db: Kysely<HubTables>,
  content: readonly Block[],
): Promise<Block[]> {
  const inlined: Block[] = [];
  for (const block of content) {
    const id = block.url === undefined ? undefined : attachmentId(block.url);
    const stored =
      id === undefined
        ? undefined
        : await db.selectFrom('hub_attachments').select('bytes').where('id', '=', id).executeTakeFirst();
    if (stored === undefined) inlined.push(block);
    else {
      const { url: _, ...rest } = block;
      inlined.push({ ...rest, data: Buffer.from(stored.bytes).toString('base64') } as unknown as Block);
    }
  }
  return inlined;
}
