import { useCall } from '../api/calls.ts';
import { Dialog } from '../design/dialog.tsx';
import { Failure } from '../design/failure.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { providerWords } from './provider-words.ts';

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
  if (settings.data !== undefined && gateway.data !== undefined)
    return (
      <ProviderDialog
        key={editing}
        settings={settings.data}
        gateway={gateway.data}
        editing={editing}
        onClose={onClose}
        onSaved={onSaved}
      />
    );
  const error = settings.error ?? gateway.error;
  return (
    <Dialog isOpen onClose={onClose} title={editing === undefined ? words.title : words.editTitle(editing)}>
      {error === null ? (
        <SkeletonRows />
      ) : (
        <Failure
          error={error}
          onRetry={() => {
            void settings.refetch();
            void gateway.refetch();
          }}
        />
      )}
    </Dialog>
  );
}
