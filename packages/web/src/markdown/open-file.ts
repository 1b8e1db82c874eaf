import { createContext, useContext } from 'react';

/** What opens a file that a text names; absent where there is no place to show it. */
export type OpenFile = (path: string, line: number | undefined) => void;

export const OpenFileContext = createContext<OpenFile | undefined>(undefined);

/** What opens a file that a text names. */
export function useOpenFile(): OpenFile | undefined {
  return useContext(OpenFileContext);
}
