import type { KeptMessage } from './telegram-world.ts';
import type { TelegramButton, TelegramEntity, TelegramUser } from './telegram-wire.ts';

/** A message as a person sees it. */
export interface SeenMessage {
  messageId: number;
  /** Who wrote it. */
  from: TelegramUser;
  isFromBot: boolean;
  /** What is read: the text, or the caption below a file. Without any markup. */
  text: string;
  /** How it is formatted, as the sender said. */
  entities: readonly TelegramEntity[];
  /** What Telegram found by itself: links, mentions, commands, hashtags. */
  found: readonly TelegramEntity[];
  /** The same as blocks of runs, for comparing without counting units. */
  blocks: readonly SeenBlock[];
  /** Rows of buttons. */
  buttons: readonly (readonly TelegramButton[])[];
  /** How often it was changed: text, caption or buttons. */
  edits: number;
  /** The message it answers, where that is still there or was when it was sent. */
  replyTo: number | undefined;
  threadId: number | undefined;
  file: SeenFile | undefined;
}

/** A file of a message, with its bytes. */
interface SeenFile {
  kind: 'photo' | 'document' | 'voice';
  name: string | undefined;
  mediaType: string | undefined;
  bytes: Uint8Array;
}

/** A stretch of a message: ordinary text, code on lines of its own, or a quotation. */
export interface SeenBlock {
  kind: 'text' | 'pre' | 'quote' | 'folded-quote';
  text: string;
  /** Of code. */
  language?: string;
  /** The same text, cut where the formatting changes. Code has one run. */
  runs: readonly SeenRun[];
}

/** A piece of a block that is formatted alike. */
interface SeenRun {
  text: string;
  /** Sorted by name. */
  styles: readonly ('bold' | 'code' | 'italic' | 'spoiler' | 'strikethrough' | 'underline')[];
  link?: string;
}

/** A draft that a person sees being written. */
export interface SeenDraft {
  draftId: number;
  text: string;
  entities: readonly TelegramEntity[];
  threadId: number | undefined;
  /** When it was last written, by the clock of the fake. It is gone 30 seconds later. */
  at: number;
}

/** What a person sees of a message. */
export function seeMessage(message: KeptMessage, botId: number): SeenMessage {
  const { text, file } = message;
  return {
    messageId: message.messageId,
    from: message.from,
    isFromBot: message.from.id === botId,
    text: text.text,
    entities: text.entities,
    found: text.found,
    blocks: seeBlocks(text.text, text.entities),
    buttons: message.buttons,
    edits: message.edits,
    replyTo: message.replyTo?.messageId,
    threadId: message.threadId,
    file: file && { kind: file.kind, name: file.name, mediaType: file.mediaType, bytes: file.bytes },
  };
}

const BLOCK_KINDS: Partial<Record<TelegramEntity['type'], SeenBlock['kind']>> = {
  pre: 'pre',
  blockquote: 'quote',
  expandable_blockquote: 'folded-quote',
};

/** The blocks of a text. Code inside a quotation is a run of it; line ends between blocks belong to none. */
export function seeBlocks(text: string, entities: readonly TelegramEntity[]): SeenBlock[] {
  const blocks: SeenBlock[] = [];
  let at = 0;
  const add = (kind: SeenBlock['kind'], from: number, to: number, language?: string) => {
    const begin = from + /^\n*/.exec(text.slice(from, to))![0].length;
    const end = begin + text.slice(begin, to).replace(/\n+$/, '').length;
    if (kind === 'text' && end === begin) return;
    const inner = entities.filter((entity) => kind !== 'pre' || entity.type === 'text_link');
    const block = { kind, text: text.slice(begin, end), runs: seeRuns(text, inner, begin, end) };
    blocks.push(language === undefined ? block : { ...block, language });
  };
  for (const entity of entities) {
    const kind = BLOCK_KINDS[entity.type];
    if (kind === undefined || entity.offset < at) continue;
    add('text', at, entity.offset);
    at = entity.offset + entity.length;
    add(kind, entity.offset, at, entity.language);
  }
  add('text', at, text.length);
  return blocks;
}

function seeRuns(text: string, entities: readonly TelegramEntity[], begin: number, end: number): SeenRun[] {
  const edges = entities.flatMap(({ offset, length }) => [offset, offset + length]);
  const cuts = [...new Set([begin, ...edges.filter((edge) => edge > begin && edge < end), end])].toSorted(
    (a, b) => a - b,
  );
  const runs: SeenRun[] = [];
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const around = entities.filter(({ offset, length }) => offset <= from && from < offset + length);
    const styles = [...new Set(around.flatMap(({ type }) => styleOf(type)))].toSorted();
    const link = around.find(({ type }) => type === 'text_link')?.url;
    const run: SeenRun = { text: text.slice(from, cuts[index + 1]), styles, ...(link !== undefined && { link }) };
    const last = runs.at(-1);
    const isSame = last !== undefined && last.link === run.link && last.styles.join() === run.styles.join();
    if (isSame) runs[runs.length - 1] = { ...last, text: last.text + run.text };
    else runs.push(run);
  }
  return runs;
}

function styleOf(type: TelegramEntity['type']): SeenRun['styles'] {
  switch (type) {
    case 'bold':
    case 'code':
    case 'italic':
    case 'spoiler':
    case 'strikethrough':
    case 'underline':
      return [type];
    case 'pre':
      return ['code'];
    default:
      return [];
  }
}
