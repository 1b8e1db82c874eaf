import { useMemo } from 'react';
import { usePageKeys } from '../../commands/page-keys.ts';
import { sessionWords } from './session-words.ts';

/** The keys of a session, as keycaps say them. */
const KEYS = {
  send: 'Enter',
  newLine: 'Shift Enter',
  commands: '/',
  mentions: '@',
  find: 'Ctrl F',
  lastPrompt: 'Ctrl ↑',
  end: 'End',
} as const;

/** Says what the keys of a session do. */
export function useSessionKeyLines(): void {
  const words = sessionWords.use();
  const page = useMemo(() => {
    const isMac = /mac/i.test(navigator.platform);
    const lines = (Object.keys(KEYS) as (keyof typeof KEYS)[]).map((key) => ({
      keys: [isMac ? KEYS[key].replace('Ctrl', '⌘') : KEYS[key]],
      what: words.keyList[key],
    }));
    return { title: words.keysTitle, lines: [...lines, { keys: [words.twice], what: words.keyList.stop }] };
  }, [words]);
  usePageKeys(page);
}
