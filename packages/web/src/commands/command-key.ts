const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform);

/** The key that opens the commands, as keycaps say it. */
export const COMMAND_KEY = isMac ? '⌘ K' : 'Ctrl K';

/** Whether a key opens them. On a Mac, Ctrl and K are for who writes. */
export function isCommandKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
}
