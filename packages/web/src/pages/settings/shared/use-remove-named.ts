import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { secretsIn } from './pairs.ts';
import { SHOWN } from './use-settings.ts';

/**
 * Takes an agent, a channel or a server out of the file, and with it the secrets that were kept for it. A secret that something else
 * refers to stays: the server refuses to delete it.
 */
export function useRemoveNamed(section: 'agents' | 'channels' | 'mcp') {
  const cache = useQueryClient();
  return useMutation({
    async mutationFn({ name, setting }: { name: string; setting: unknown }) {
      await client.changeSettings({ changes: [{ path: [section, name] }] });
      const own = secretsIn(setting).filter((secret) => secret.startsWith(`${section}.`));
      await Promise.allSettled(own.map((secret) => client.removeSecret({ name: secret })));
    },
    onSuccess() {
      for (const shown of ['readSettings', ...SHOWN]) void cache.invalidateQueries({ queryKey: [shown] });
    },
  });
}
