import type { Message, MessageEntity, UserFromGetMe } from 'grammy/types';

/** A piece of a text that is written otherwise. */
interface Edit {
  from: number;
  to: number;
  text: string;
}

/**
 * What was said, as Markdown as far as that matters to an agent (code and links), and without the name of the bot.
 * Undefined where it is a command of another bot.
 */
export function readText(
  message: Pick<Message, 'text' | 'caption' | 'entities' | 'caption_entities'>,
  me: Pick<UserFromGetMe, 'id' | 'username'>,
): { text: string; isForUs: boolean } | undefined {
  const text = message.text ?? message.caption ?? '';
  const entities = message.entities ?? message.caption_entities ?? [];
  const own = `@${me.username}`.toLowerCase();
  const edits: Edit[] = [];
  let isForUs = false;
  for (const entity of entities) {
    const { offset: from, length, type } = entity;
    const to = from + length;
    const part = text.slice(from, to);
    if (type === 'bot_command' && from === 0) {
      const at = part.indexOf('@');
      if (at !== -1 && part.slice(at).toLowerCase() !== own) return undefined;
      if (at !== -1) edits.push({ from: at, to, text: '' });
      isForUs = true;
    } else if ((type === 'mention' && part.toLowerCase() === own) || isMe(entity, me)) {
      edits.push(withoutBlank(text, from, to));
      isForUs = true;
    } else {
      const written = writeEntity(entity, part);
      if (written !== undefined) edits.push({ from, to, text: written });
    }
  }
  return { text: edited(text, edits).trim(), isForUs };
}

function isMe(entity: MessageEntity, me: Pick<UserFromGetMe, 'id'>): boolean {
  return entity.type === 'text_mention' && entity.user.id === me.id;
}

/** The blank behind a name goes with it, where there is one before it or nothing at all. */
function withoutBlank(text: string, from: number, to: number): Edit {
  const isLoose = from === 0 || /\s/.test(text[from - 1]!);
  return { from, to: isLoose && /[ \t]/.test(text[to] ?? '') ? to + 1 : to, text: '' };
}

function writeEntity(entity: MessageEntity, part: string): string | undefined {
  switch (entity.type) {
    case 'code':
      return part.includes('`') ? undefined : `\`${part}\``;
    case 'pre':
      return `\n\`\`\`${entity.language ?? ''}\n${part}\n\`\`\`\n`;
    case 'text_link':
      return entity.url === part ? undefined : `[${part}](${entity.url})`;
    default:
      return undefined;
  }
}

/** From the end to the beginning, so that places stay what they are; what is inside of another one is left. */
function edited(text: string, edits: readonly Edit[]): string {
  let done = text;
  let before = Infinity;
  for (const { from, to, text: written } of edits.toSorted((one, other) => other.from - one.from)) {
    if (to > before) continue;
    done = done.slice(0, from) + written + done.slice(to);
    before = from;
  }
  return done;
}
