import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { RouteInfo } from '@dragoman/protocol/console';
import { client } from '../../../api/client.ts';
import { Confirm } from '../../../design/confirm.tsx';
import { Failure } from '../../../design/failure.tsx';
import { say } from '../../../design/toasts.tsx';
import { providersWords } from './providers-words.ts';
import { removalOf, routesUsing, secretsOf } from './removal.ts';

interface RemoveProviderProps {
  name: string;
  routes: readonly RouteInfo[];
  isOpen: boolean;
  onClose: () => void;
}

/** Asks before a provider goes, and says what becomes of the routes that lead to it. */
export function RemoveProvider({ name, routes, isOpen, onClose }: RemoveProviderProps) {
  const words = providersWords.use();
  const cache = useQueryClient();
  const removal = useMutation({
    mutationFn: () => removeProvider(name),
    onSuccess: () => {
      say(words.removed(name));
      onClose();
    },
    onSettled: () =>
      Promise.all(
        ['readGateway', 'readSettings', 'listSecrets'].map((key) => cache.invalidateQueries({ queryKey: [key] })),
      ),
  });
  const using = routesUsing(name, routes);
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => removal.mutate()}
      isBusy={removal.isPending}
      title={words.removeTitle(name)}
      confirm={words.remove}
    >
      <p>{using.length === 0 ? words.removeUnused : words.removeUsed}</p>
      {using.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {using.map(({ route, left }) => (
            <li key={route} className="contained">
              {left === 0 ? words.goesToo(route) : words.keepsOthers(route, left)}
            </li>
          ))}
        </ul>
      )}
      {removal.error !== null && (
        <div className="mt-3">
          <Failure error={removal.error} />
        </div>
      )}
    </Confirm>
  );
}

/** What the settings say now decides; a change that came between is noticed by the version. */
async function removeProvider(name: string): Promise<void> {
  const { version, settings } = await client.readSettings();
  await client.changeSettings({ version, changes: removalOf(name, settings) });
  // Nothing refers to them any more, or they stay.
  for (const secret of secretsOf(name, settings)) await client.removeSecret({ name: secret }).catch(() => {});
}
