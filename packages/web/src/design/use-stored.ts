import { useCallback, useState } from 'react';

/** A choice of this browser that outlives the page. `read` makes it of what is stored, whatever that is. */
export function useStored<Value extends string | number>(
  key: string,
  read: (stored: string | null) => Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => read(stored(key)));
  const choose = useCallback(
    (next: Value) => {
      setValue(next);
      try {
        localStorage.setItem(key, String(next));
      } catch {
        // The browser keeps nothing: then it holds for as long as the page.
      }
    },
    [key],
  );
  return [value, choose];
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
