import { useEffect, useState } from 'react';
import { type Attachment, toBlock } from '../../../composer/read-attachment.ts';
import { post } from '../../../outbox/outbox.ts';
import { newPromptId } from '../../../outbox/prompt-id.ts';
import { keepDraft, readDraft } from './draft.ts';

/** A prompt as it is written. */
export interface Prompt {
  text: string;
  setText: (text: string) => void;
  /** Hands it over to the outbox, which sees to it that it arrives, once. */
  send: (attachments: readonly Attachment[], delivery: 'queue' | 'steer') => void;
}

/** The prompt that is being written in a session. */
export function usePrompt(sessionId: string): Prompt {
  const [text, setText] = useState(() => readDraft(sessionId));
  useEffect(() => keepDraft(sessionId, text), [sessionId, text]);
  return {
    text,
    setText,
    send(attachments, delivery) {
      post({
        call: 'sendPrompt',
        input: {
          sessionId,
          id: newPromptId(),
          delivery,
          channel: 'web',
          ...(text.trim() !== '' && { text }),
          ...(attachments.length > 0 && { content: attachments.map((item) => toBlock(item)) }),
        },
      });
      setText('');
    },
  };
}
