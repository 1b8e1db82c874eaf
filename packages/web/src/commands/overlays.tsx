import { lazy, Suspense } from 'react';
import { useOverlay } from './overlay.ts';
import { useAppKeys } from './use-app-keys.ts';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }));
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }));

/** What opens over every page, loaded when it is first wanted; and the keys that open it. */
export function Overlays() {
  useAppKeys();
  const overlay = useOverlay();
  return (
    <Suspense>
      {overlay === 'commands' && <CommandPalette />}
      {overlay === 'keys' && <KeysDialog />}
    </Suspense>
  );
}
