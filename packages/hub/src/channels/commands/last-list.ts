import type { Note } from '../note.ts';
import type { Talk } from '../people/talk.ts';

/** A list is looked for among so many notes. */
const LOOKED_AT = 20;

/**
 * What the numbers of the last list in this chat stand for. The buttons of the list are looked at, because they are what
 * people have before them; what has changed since does not move a number to something else.
 */
export async function lastList({ ears, place }: Talk, command: string): Promise<ReadonlyMap<string, string>> {
  const rows = await ears.parts.db
    .selectFrom('hub_chat_posts')
    .select('note_json')
    .where('channel', '=', place.channel)
    .where('chat_id', '=', place.chatId)
    .where('session_id', 'is', null)
    .where('note_json', 'like', `%"text":"${command} %`)
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
    .execute();
  for (const { note_json } of rows) {
    const numbers = numbersOf(JSON.parse(note_json!) as Note, `${command} `);
    if (numbers.size > 0) return numbers;
  }
  return new Map();
}

/** Other notes have such buttons too, but no numbers on them. */
function numbersOf({ buttons = [] }: Note, command: string): Map<string, string> {
  const numbers = new Map<string, string>();
  for (const { label, action } of buttons.flat()) {
    const number = /^(?:[✓✗] )?(\d+)$/.exec(label)?.[1];
    if (number !== undefined && action.type === 'command' && action.text.startsWith(command))
      numbers.set(number, action.text.slice(command.length));
  }
  return numbers;
}
