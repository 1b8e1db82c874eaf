import { useState } from 'react';
import { say } from '../../../design/toasts.tsx';
import { post } from '../../../outbox/outbox.ts';
import { newPromptId } from '../../../outbox/prompt-id.ts';
import { type ReviewComment, reviewPrompt } from './review-prompt.ts';
import { sideWords } from './side-words.ts';

/** Comments on lines that were not sent yet. */
export interface ReviewState {
  comments: readonly ReviewComment[];
  add: (comment: Omit<ReviewComment, 'id'>) => void;
  remove: (id: string) => void;
  /** Takes all of them to the agent, as one prompt. */
  send: () => void;
}

interface Kept {
  comments: readonly ReviewComment[];
}

/** Collects comments on the changes of a session. They outlive the page, as drafts do. */
export function useReview(sessionId: string): ReviewState {
  const words = sideWords.use();
  const key = `review.${sessionId}`;
  const [kept, setKept] = useState(() => read(key));
  const keep = (next: Kept) => {
    setKept(next);
    write(key, next);
  };
  return {
    comments: kept.comments,
    add: (comment) => keep({ comments: [...kept.comments, { ...comment, id: newPromptId() }] }),
    remove: (id) => keep({ comments: kept.comments.filter((one) => one.id !== id) }),
    send() {
      const text = reviewPrompt(kept.comments, { intro: words.reviewIntro, before: words.before });
      post({ call: 'sendPrompt', input: { sessionId, id: newPromptId(), text, channel: 'web' } });
      keep({ comments: [] });
      say(words.sentComments);
    },
  };
}

function read(key: string): Kept {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Kept> | null;
    return Array.isArray(stored?.comments) ? { ...stored, comments: stored.comments } : { comments: [] };
  } catch {
    return { comments: [] };
  }
}

function write(key: string, kept: Kept): void {
  try {
    if (kept.comments.length === 0) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // There is no room for it: then it lives as long as the page.
  }
}
