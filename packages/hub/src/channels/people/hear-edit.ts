import type { PromptBlock } from '@dragoman/protocol';
import type { Heard } from '../heard.ts';
import { addNote } from '../post-store.ts';
import { findBound } from './bindings.ts';
import { findChat } from './chat-store.ts';
import { noteHeard } from './heard-store.ts';
import { PEOPLE_WORDS } from './people-words.ts';
import type { Ears } from './talk.ts';

/**
 * Tells who changed a message that was a prompt that the agent does not see it, once for each message. Platforms tell of
 * changes that nobody made, too, such as a preview of a link; those say what was said before.
 */
export async function hearEdit(
  { parts, channel: { name: channel }, wake }: Ears,
  heard: Extract<Heard, { type: 'edited' }>,
): Promise<undefined> {
  const { db, now } = parts;
  const { messageId, chat: told, person } = heard;
  const place = { channel, chatId: told.chatId };
  const prompt = await db
    .selectFrom('hub_chat_prompts as own')
    .innerJoin('hub_prompts as prompt', (join) =>
      join.onRef('prompt.session_id', '=', 'own.session_id').onRef('prompt.id', '=', 'own.prompt_id'),
    )
    .select('prompt.content_json')
    .where('own.channel', '=', channel)
    .where('own.chat_id', '=', place.chatId)
    .where('own.message_id', '=', messageId)
    .executeTakeFirst();
  if (prompt === undefined || isSaid(heard.text, JSON.parse(prompt.content_json) as PromptBlock[])) return;
  const chat = await findChat(db, place);
  if (chat?.state !== 'open' || (await findBound(db, { channel, accountId: person.accountId }, now())) === undefined)
    return;
  const note = { text: PEOPLE_WORDS[chat.language].editUnheard, replyTo: messageId };
  const isFirst = await db.transaction().execute(async (transaction) => {
    if (!(await noteHeard(transaction, channel, heard.id, now()))) return false;
    await addNote(transaction, place, note, now());
    return true;
  });
  if (isFirst) wake(place.chatId);
}

/** What was written down of a voice message stands behind what was written. */
function isSaid(text: string, content: readonly PromptBlock[]): boolean {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
  return said.trim() === text.trim() || said.startsWith(`${text.trim()}\n\n`);
}
