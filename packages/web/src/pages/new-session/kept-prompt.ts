const KEY = 'draft:new-session';

/** What was being written when the page was left. */
export function keptPrompt(): string {
  return localStorage.getItem(KEY) ?? '';
}

/** Keeps what is being written; nothing forgets it. */
export function keepPrompt(text: string): void {
  if (text === '') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, text);
}
