import { createContext, useContext } from 'react';

/** The session whose files a text may show as pictures; absent where a text belongs to none. */
export const PictureSessionContext = createContext<string | undefined>(undefined);

/** The session whose files a text may show as pictures. */
export function usePictureSession(): string | undefined {
  return useContext(PictureSessionContext);
}
