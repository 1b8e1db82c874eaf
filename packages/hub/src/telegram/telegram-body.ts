/** A piece of a line that is formatted alike. Code is never anything else at the same time. */
export interface Span {
  text: string;
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
  /** An address that was looked at, see `webAddress`. */
  url?: string;
}

/** One thing under the other in a message. What Telegram cannot nest (code in quotations) cannot be said here. */
export type Block = BlockPlace &
  (
    | { type: 'text' | 'quote' | 'folded'; spans: readonly Span[] }
    /** Code on lines of its own. */
    | { type: 'pre'; text: string; language: string }
  );

interface BlockPlace {
  /** An empty line stands before it. */
  gap?: true;
}

/** A button: what it does by its place among the actions of the post, or where it leads. */
export type Button = { label: string; look?: 'primary' | 'danger' } & ({ action: number } | { url: string });

/** A message of text, with rows of buttons below. */
export interface TextBody {
  type: 'text';
  blocks: readonly Block[];
  buttons: readonly (readonly Button[])[];
}

/** A message that is a file. */
export interface FileBody {
  type: 'file';
  /** Where its bytes are: at an address of the hub, or here as base64, where they are few. */
  url?: string;
  data?: string;
  name: string;
  mediaType: string;
  /** The session in the console, for what Telegram does not take. */
  link: string | undefined;
}

/** What stands in a message on Telegram. */
export type TelegramBody = TextBody | FileBody;
