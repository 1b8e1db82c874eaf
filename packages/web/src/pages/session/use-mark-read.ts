import { useEffect, useRef, useSyncExternalStore } from 'react';
import { client } from '../../api/client.ts';
import { startReading } from '../../api/reading.ts';

/** While a session streams it is noted this often. */
const EVERY_MS = 2000;

/** Notes on the server up to where somebody has read: what was in sight while the page was. */
export function useMarkRead(sessionId: string, seq: number, isAtEnd: boolean): void {
  const isVisible = useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
  );
  const seen = useRef(0);
  const noted = useRef({ seq: 0, at: 0 });
  const isSeen = isVisible && isAtEnd;
  useEffect(() => {
    if (!isSeen) return;
    seen.current = seq;
    if (seq <= noted.current.seq) return;
    const wait = Math.max(0, noted.current.at + EVERY_MS - Date.now());
    const timer = setTimeout(() => note(sessionId, seq, noted.current), wait);
    return () => clearTimeout(timer);
  }, [sessionId, seq, isSeen]);
  useEffect(() => {
    if (!isSeen) return;
    const stop = startReading(sessionId);
    const known = noted.current;
    return () => {
      stop();
      // Whoever goes elsewhere has read what came since it was last noted.
      if (seen.current > known.seq) note(sessionId, seen.current, known);
    };
  }, [sessionId, isSeen]);
}

function note(sessionId: string, seq: number, noted: { seq: number; at: number }): void {
  noted.seq = seq;
  noted.at = Date.now();
  // What does not arrive is noted with the next one.
  client.markRead({ sessionId, seq }).catch(() => (noted.seq = 0));
}
