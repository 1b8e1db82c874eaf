import { useEffect, useState } from 'react';

const PAUSE_MS = 400;

/** A text once nobody has typed for a moment, so that not every letter is asked about. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (text === settled) return;
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, settled]);
  return settled;
}
