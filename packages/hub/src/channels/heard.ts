import type { Language } from './channel.ts';

/** A file that came with a message; its bytes are fetched when they are needed. */
export interface HeardFile {
  kind: 'image' | 'file' | 'voice';
  name: string;
  mediaType: string;
  /** Rejects with a `DragomanError` that tells the sender what is wrong, such as that it is too large. */
  read(signal: AbortSignal): Promise<Uint8Array>;
}

interface HeardBase {
  /** The platform's own id of what happened, unique in the channel: what is heard twice counts once. */
  id: string;
  chat: { chatId: string; kind: 'private' | 'group'; title?: string | undefined };
  person: { accountId: string; name: string; language?: Language | undefined };
}

/** What a person did in a chat. */
export type Heard = HeardBase &
  (
    | {
        type: 'message';
        messageId: string;
        /** Without the name of the bot. */
        text: string;
        files: readonly HeardFile[];
        /** The message it is an answer to. */
        replyTo?: string | undefined;
        /** Said to the bot: in private always, in a group where it is named. A reply to a post of ours is for us in any case. */
        isForUs: boolean;
      }
    /** A message was changed after it was heard; `text` is what it says now. */
    | { type: 'edited'; messageId: string; text: string }
    | { type: 'press'; action: string; text?: string | undefined }
    /** The bot was added, or is not blocked any more. */
    | { type: 'joined' }
    /** The bot was removed or blocked. */
    | { type: 'left' }
    /** The chat has another id from now on, with everything in it; `chat` is as it was. Messages of before cannot be changed any more. */
    | { type: 'moved'; to: string }
  );

/** What a press is answered with at once, in a line. */
export interface PressAnswer {
  text: string;
  isRefused: boolean;
}
