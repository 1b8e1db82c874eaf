/** What was written in a session before and not sent, in this browser. */
export function readDraft(sessionId: string): string {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(sessionId)) ?? 'null') as { text?: unknown } | null;
    return typeof stored?.text === 'string' ? stored.text : '';
  } catch {
    return '';
  }
}

/** Keeps a draft in this browser; an empty one is forgotten. */
export function keepDraft(sessionId: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(keyOf(sessionId));
    else localStorage.setItem(keyOf(sessionId), JSON.stringify({ text }));
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
