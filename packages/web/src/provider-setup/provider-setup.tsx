import { lazy, Suspense } from 'react';
import { useCall } from '../api/calls.ts';
import { Dialog } from '../design/dialog.tsx';
import { Failure } from '../design/failure.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { providerWords } from './provider-words.ts';

/** Most visits never open it. */
const ProviderDialog = lazy(async () => ({ default: (await import('./provider-dialog.tsx')).ProviderDialog }));

interface ProviderSetupProps {
  isOpen: boolean;
  onClose: () => void;
  /** It is saved and in force. */
  onSaved?: ((name: string) => void) | undefined;
  /** The provider to change; a new one is set up where none is named. */
  editing?: string | undefined;
}

/** Sets a provider up, or changes one: pick the service, paste its key, test it, choose models, save. For admins. */
export function ProviderSetup({ isOpen, onClose, onSaved, editing }: ProviderSetupProps) {
  const words = providerWords.use();
  const settings = useCall('readSettings', undefined, { isEnabled: isOpen });
  const gateway = useCall('readGateway', undefined, { isEnabled: isOpen });
  if (!isOpen) return null;
  const title = editing === undefined ? words.title : words.editTitle(editing);
  const loading = (
    <Dialog isOpen onClose={onClose} title={title}>
      <SkeletonRows />
    </Dialog>
  );
  if (settings.data !== undefined && gateway.data !== undefined)
    return (
      <Suspense fallback={loading}>
        <ProviderDialog
          key={editing}
          settings={settings.data}
          gateway={gateway.data}
          editing={editing}
          onClose={onClose}
          onSaved={onSaved}
        />
      </Suspense>
    );
  const error = settings.error ?? gateway.error;
  if (error === null) return loading;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Failure
        error={error}
        onRetry={() => {
          void settings.refetch();
          void gateway.refetch();
        }}
      />
    </Dialog>
  );
}
