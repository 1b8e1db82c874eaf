import type { HubPrompt } from '@dragoman/protocol';
import { useEffect, useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { whenBack } from '../../../api/connection.ts';
import { type Draft, keepDraft, newPromptId, readDraft } from './draft.ts';
import { type Attachment, toBlock } from './read-attachment.ts';
import { sendFailureOf } from './send-failure.ts';

interface PromptSource {
  sessionId: string;
  /** What the session is known to have: a prompt that is there has arrived, whatever became of the answer. */
  queue: readonly HubPrompt[];
  newestPromptId: string | undefined;
  /** It has left: what went along with it is no longer needed here. */
  onSent: () => void;
}

/** A prompt as it is written and sent. */
export interface Prompt {
  text: string;
  setText: (text: string) => void;
  /** Something else about it changed: it is another prompt now. */
  renew: () => void;
  send: (attachments: readonly Attachment[], delivery: 'queue' | 'steer') => void;
  isSending: boolean;
  error: Error | undefined;
}

const NOTHING: Draft = { text: '' };

/** The prompt that is being written in a session. Nothing is lost when it cannot be sent, and nothing arrives twice. */
export function usePrompt({ sessionId, queue, newestPromptId, onSent }: PromptSource): Prompt {
  const [draft, setDraft] = useState(() => readDraft(sessionId));
  useEffect(() => keepDraft(sessionId, draft), [sessionId, draft]);
  const { promptId } = draft;

  const sending = useAction('sendPrompt', {
    onDone(_answer, { id }) {
      if (readDraft(sessionId).promptId === id) keepDraft(sessionId, NOTHING); // The page may be left by now.
      setDraft((now) => (now.promptId === id ? NOTHING : now));
      onSent();
    },
  });
  const isThere = promptId !== undefined && (promptId === newestPromptId || queue.some(({ id }) => id === promptId));
  if (isThere && !sending.isPending) {
    // The answer got lost, or the page was loaded anew before it came.
    setDraft(NOTHING);
    onSent();
  }

  const { mutate, error, variables: unsent } = sending;
  const isUnreached = error !== null && promptId === unsent?.id && sendFailureOf(error) === 'unreached';
  useEffect(() => (isUnreached ? whenBack(() => mutate(unsent)) : undefined), [isUnreached, mutate, unsent]);

  return {
    text: draft.text,
    setText: (text) => setDraft({ text }),
    renew: () => setDraft(({ text }) => ({ text })),
    send(attachments, delivery) {
      const { text } = draft;
      const id = promptId ?? newPromptId();
      setDraft({ text, promptId: id });
      mutate({
        sessionId,
        id,
        delivery,
        channel: 'web',
        ...(text.trim() !== '' && { text }),
        ...(attachments.length > 0 && { content: attachments.map(toBlock) }),
      });
    },
    isSending: sending.isPending,
    error: promptId === undefined ? undefined : (error ?? undefined),
  };
}
