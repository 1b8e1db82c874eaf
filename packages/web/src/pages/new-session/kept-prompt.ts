const KEY = 'draft:new-session';

/** What was being written when the page was left. */
export function keptPrompt(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Keeps what is being written; nothing forgets it. */
export function keepPrompt(text: string): void {
  try {
    if (text === '') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, text);
  } catch {
    // There is no room for it, or the browser keeps nothing: then it lives as long as the page.
  }
}
