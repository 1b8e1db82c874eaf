import { useMemo } from 'react';
import { usePageKeys } from '../../../commands/page-keys.ts';
import { homeWords } from '../home-words.ts';

const KEYS = { move: ['j', 'k', '↓', '↑'], open: ['↵'], allow: ['a'], deny: ['d'], read: ['r'] } as const;

/** Says what the keys of the home page do. */
export function useHomeKeyLines(): void {
  const words = homeWords.use();
  const page = useMemo(() => {
    const names = Object.keys(KEYS) as (keyof typeof KEYS)[];
    return { title: words.keysTitle, lines: names.map((name) => ({ keys: KEYS[name], what: words.keyList[name] })) };
  }, [words]);
  usePageKeys(page);
}
