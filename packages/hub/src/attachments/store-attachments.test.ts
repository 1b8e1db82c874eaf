import type { PromptBlock } from '@dragoman/protocol';
import { STORE_ENGINES } from '@dragoman/testkit';
import { describe, expect, test } from 'vitest';
import type { HubTables } from '../hub-tables.ts';
import { testLog, testSession } from '../log/session-log.fixture.ts';
import { inlineContent } from './inline-content.ts';
import { storeAttachments } from './store-attachments.ts';

describe.each(STORE_ENGINES)('on %s', (engine) => {
  async function open() {
    const { store, log } = await testLog(engine);
    return { db: store.tables<HubTables>(), sessionId: await testSession(log) };
  }

  test('large bytes become an address and come back inside for the runner; small ones and words stay as they are', async () => {
    const { db, sessionId } = await open();
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256));
    const content: PromptBlock[] = [
      { type: 'text', text: 'x'.repeat(5000) },
      { type: 'image', media_type: 'image/png', data: bytes.toString('base64') },
      { type: 'file', name: 'a.txt', media_type: 'text/plain', data: 'aGVsbG8=' },
      { type: 'file', name: 'b.bin', data: bytes.toString('base64') },
      { type: 'image', media_type: 'image/png', url: 'https://example.com/a.png' },
    ];

    const stored = await storeAttachments(db, sessionId, content);

    const rows = await db.selectFrom('hub_attachments').selectAll().orderBy('id').execute();
    expect(rows.map(({ name, media_type }) => [name, media_type])).toEqual([
      [null, 'image/png'],
      ['b.bin', 'application/octet-stream'],
    ]);
    expect(stored).toEqual([
      content[0],
      { type: 'image', media_type: 'image/png', url: `/api/attachments/${rows[0]!.id}` },
      content[2],
      { type: 'file', name: 'b.bin', url: `/api/attachments/${rows[1]!.id}` },
      content[4],
    ]);
    expect(await inlineContent(db, stored)).toEqual(content);
  });

  test('one that is too large is refused with its size, and so is what is not base64', async () => {
    const { db, sessionId } = await open();
    const file = (data: string): PromptBlock[] => [{ type: 'file', name: 'a.zip', data }];

    await expect(storeAttachments(db, sessionId, file('A'.repeat(13_400_000)))).rejects.toThrow(
      'a.zip has about 10050000 bytes; the limit is 10000000. Send a smaller one.',
    );
    await expect(storeAttachments(db, sessionId, file('ä'.repeat(2000)))).rejects.toThrow(
      'a.zip is not base64; encode its bytes and nothing else.',
    );
  });

  test('an address of an attachment that is gone stays an address', async () => {
    const { db } = await open();
    const block: PromptBlock = {
      type: 'image',
      media_type: 'image/png',
      url: `/api/attachments/att_${'0'.repeat(26)}`,
    };

    expect(await inlineContent(db, [block])).toEqual([block]);
  });
});
