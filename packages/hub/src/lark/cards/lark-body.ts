import type { CardJson } from './card-json.ts';

/** What a post is in a Lark chat. */
export type LarkBody =
  | {
      type: 'card';
      /** Buttons and images in it are filled in by `fillCard` before it is sent. */
      card: CardJson;
      /** The line of the chat list once nothing comes any more; plain text. */
      summary: string;
      /** It still grows: the card is in streaming mode as long as this holds. */
      isStreaming: boolean;
    }
  /** A message of its own. The bytes are those of the attachment with this `url`. */
  | { type: 'file' | 'image'; url: string; name: string; mediaType: string };
