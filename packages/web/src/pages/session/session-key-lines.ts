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

/** Those that answer a question. The second ones also where nothing is written yet. */
const ANSWERS = { allow: ['a', 'Ctrl ↵'], deny: ['d', 'Ctrl ⌫'] } as const;

/** Says what the keys of a session do. */
export function useSessionKeyLines(): void {
  const words = sessionWords.use();
  const page = useMemo(() => {
    const isMac = /mac/i.test(navigator.platform);
    const onHere = (key: string) => (isMac ? key.replace('Ctrl', '⌘') : key);
    const answers = (['allow', 'deny'] as const).map((key) => ({
      keys: ANSWERS[key].map(onHere),
      what: words.keyList[key],
    }));
    const lines = (Object.keys(KEYS) as (keyof typeof KEYS)[]).map((key) => ({
      keys: [onHere(KEYS[key])],
      what: words.keyList[key],
    }));
    return { title: words.keysTitle, lines: [...lines, ...answers, { keys: [words.twice], what: words.keyList.stop }] };
  }, [words]);
  usePageKeys(page);
}
