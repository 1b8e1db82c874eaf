import { useSyncExternalStore } from 'react';

/** Whether the window or the device is like this, as it changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** There is room for a panel beside the conversation. */
export const WIDE = '(min-width: 1024px)';
/** People type on the screen itself, where Enter begins a new line. */
export const TOUCH = '(pointer: coarse)';
