import { useMemo } from 'react';
import { usePageKeys } from '../../commands/page-keys.ts';
import { sessionsWords } from './sessions-words.ts';

const KEYS = { move: ['↓', '↑'], open: ['↵'], select: ['x'], archive: ['e'], search: ['/'] } as const;

/** Says what the keys of the list of sessions do. */
export function useSessionsKeyLines(): void {
  const words = sessionsWords.use();
  const page = useMemo(() => {
    const names = Object.keys(KEYS) as (keyof typeof KEYS)[];
    return { title: words.keysTitle, lines: names.map((name) => ({ keys: KEYS[name], what: words.keyList[name] })) };
  }, [words]);
  usePageKeys(page);
}
