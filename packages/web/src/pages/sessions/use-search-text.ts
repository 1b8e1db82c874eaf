import { useEffect, useState } from 'react';

/** How long somebody may pause within a word. */
const PAUSE_MS = 250;

/**
 * What somebody types into a search, told once they pause. The address may change by itself too (back, or a link to the page
 * without a search): then the field follows.
 */
export function useSearchText(
  inForce: string,
  onSearch: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(inForce);
  const [seen, setSeen] = useState(inForce);
  const [sent, setSent] = useState<string>();
  if (inForce !== seen) {
    setSeen(inForce);
    setSent(undefined);
    if (inForce !== sent) setText(inForce);
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === inForce) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      onSearch(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, inForce, onSearch]);
  return [text, setText];
}
