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
