import { useState } from 'react';
import type { Arrangement } from '../../arrangement/list-rows.ts';

const KEY = 'sessions.arrangement';

/** How sessions are arranged, remembered in this browser. */
export function useArrangement(): [Arrangement, (arrangement: Arrangement) => void] {
  const [arrangement, setArrangement] = useState<Arrangement>(() =>
    localStorage.getItem(KEY) === 'time' ? 'time' : 'folder',
  );
  return [
    arrangement,
    (next) => {
      localStorage.setItem(KEY, next);
      setArrangement(next);
    },
  ];
}
