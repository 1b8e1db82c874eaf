/** What is written and not sent yet. */
export interface Draft {
  text: string;
  /**
   * The id it was tried to be sent by, for as long as nothing is changed in it: sent again it is the same prompt, also
   * when the first one arrived after all.
   */
  promptId?: string | undefined;
}

const EMPTY: Draft = { text: '' };

/** The draft of a session from before, in this browser. */
export function readDraft(sessionId: string): Draft {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(sessionId)) ?? 'null') as Partial<Draft> | null;
    if (typeof stored?.text !== 'string') return EMPTY;
    return { text: stored.text, ...(typeof stored.promptId === 'string' && { promptId: stored.promptId }) };
  } catch {
    return EMPTY;
  }
}

/** Keeps a draft in this browser; an empty one is forgotten. */
export function keepDraft(sessionId: string, draft: Draft): void {
  try {
    if (draft.text === '') localStorage.removeItem(keyOf(sessionId));
    else localStorage.setItem(keyOf(sessionId), JSON.stringify(draft));
  } catch {
    // There is no room for it, or the browser keeps nothing: then it lives as long as the page.
  }
}

function keyOf(sessionId: string): string {
  return `draft.${sessionId}`;
}

/** An id for a prompt, made here so that a repeated call is the same prompt. */
export function newPromptId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `msg_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
