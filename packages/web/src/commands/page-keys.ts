import { useEffect } from 'react';

/** A key, or several that do the same, and what it does. */
export interface KeyLine {
  keys: readonly string[];
  what: string;
}

/** The keys of a page. */
export interface PageKeys {
  title: string;
  lines: readonly KeyLine[];
}

let shown: PageKeys | undefined;

/** Says which keys a page has for as long as it is there. */
export function usePageKeys(page: PageKeys): void {
  useEffect(() => {
    shown = page;
    return () => {
      if (shown === page) shown = undefined;
    };
  }, [page]);
}

/** The keys of the page that is there. */
export function pageKeys(): PageKeys | undefined {
  return shown;
}
