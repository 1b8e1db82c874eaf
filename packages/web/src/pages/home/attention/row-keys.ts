import { createContext, useContext, useEffect } from 'react';

/** What keys do on a row: the key, and what it does. */
export type RowKeys = Readonly<Partial<Record<'a' | 'd' | 'r', () => void>>>;

/** The keys of every row on the page, by the row. */
export const RowKeysContext = createContext<Map<string, RowKeys>>(new Map());

/** Says what keys do on a row while it is there. */
export function useRowKeys(row: string, keys: RowKeys): void {
  const all = useContext(RowKeysContext);
  useEffect(() => {
    all.set(row, keys);
    return () => void all.delete(row);
  });
}
