import { STORE_ENGINES } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { storeAttachments } from '../attachments/store-attachments.ts';
import type { HubTables } from '../hub-tables.ts';
import type { Channel } from './channel.ts';
import { openScene } from './chats.fixture.ts';
import { deliverPost } from './deliver-post.ts';

test.each(STORE_ENGINES)('%s: a post reads attachments of its own session, and of no other', async (engine) => {
  const { door, clock, sessionId } = await openScene(engine, { isOn: false });
  const { id: other } = await door.owner.client.createSession({ agent: 'scribe', folder: '/code', title: 'Other' });
  const db = door.store.tables<HubTables>();
  const bytes = Buffer.alloc(2_000, 7);
  const image = { type: 'image' as const, media_type: 'image/png', data: bytes.toString('base64') };
  const [{ url } = {}] = await storeAttachments<typeof image & { url?: string }>(db, sessionId, [image]);
  const read: unknown[] = [];
  const channel = {
    async deliver({ readAttachment }) {
      read.push(await readAttachment(url!).catch((error: unknown) => error));
      return { messageId: 'm', isLasting: true };
    },
  } as Partial<Channel> as Channel;
  const chat = { chatId: 'c', kind: 'private' as const, language: 'en' as const };
  const place = { channel: 'slate', chatId: 'c' };
  const { signal } = new AbortController();
  const options = { db, channel, chat, place, clock, signal, bodies: new Map<string, unknown>() };

  for (const id of [sessionId, other]) {
    const post = { key: 'part 1', body: {}, actions: [], isFinal: true };
    await deliverPost(
      options,
      { wanted: { post, sessionId: id, row: undefined, replyTo: undefined }, isLast: true },
      () => {},
    );
  }

  expect(read).toEqual([
    { bytes: expect.anything() as unknown, mediaType: 'image/png', name: undefined },
    expect.objectContaining({ code: 'not-found', message: `This session has no attachment at "${url}".` }),
  ]);
  expect(Buffer.from((read[0] as { bytes: Uint8Array }).bytes).equals(bytes)).toBe(true);
});
