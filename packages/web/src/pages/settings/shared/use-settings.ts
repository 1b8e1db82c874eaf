import type { Settings } from '@dragoman/protocol/console';
import { type InputOf, putAnswer, useAction, useCall } from '../../../api/calls.ts';
import { useIsAdmin } from '../../../api/me.ts';

type Change = Pick<InputOf<'changeSettings'>, 'changes' | 'secrets'>;

/** The configuration as it is edited, and how it is changed. */
export interface EditedSettings {
  settings: Settings | undefined;
  error: Error | null;
  retry: () => void;
  /** Changes the file as it was read; where somebody else was faster, nothing is changed and it is read again. */
  change: (change: Change, onDone?: () => void) => void;
  isSaving: boolean;
  saveError: Error | null;
  forgetError: () => void;
}

/** Whatever depends on the configuration and is shown beside it. */
export const SHOWN = ['readWorkplace', 'listRunners', 'readChannels', 'listSecrets', 'diagnose'] as const;

/** The configuration, for admins. */
export function useSettings(): EditedSettings {
  const isAdmin = useIsAdmin();
  const read = useCall('readSettings', undefined, { isEnabled: isAdmin });
  const save = useAction('changeSettings', {
    onDone(answer, _input, cache) {
      putAnswer(cache, 'readSettings', undefined, answer);
      // Looking at servers and agents again takes seconds; who saved something does not wait for it.
      for (const shown of SHOWN) void cache.invalidateQueries({ queryKey: [shown] });
    },
  });
  return {
    settings: read.data,
    error: read.error,
    retry: () => void read.refetch(),
    change: ({ changes, secrets }, onDone) =>
      save.mutate(
        {
          changes,
          ...(read.data !== undefined && { version: read.data.version }),
          ...(secrets !== undefined && Object.keys(secrets).length > 0 && { secrets }),
        },
        { onSuccess: () => onDone?.(), onError: () => void read.refetch() },
      ),
    isSaving: save.isPending,
    saveError: save.error,
    forgetError: save.reset,
  };
}

/** What the file says of every agent, server and the like: their settings by name. */
export function namedIn(settings: Settings | undefined, section: string): Record<string, Record<string, unknown>> {
  const given = settings?.settings[section];
  if (typeof given !== 'object' || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1])),
  );
}

/** Whether something else than the file decides a setting. */
export function isOverridden({ overridden }: Settings, path: readonly string[]): boolean {
  return overridden.some((other) => other.every((key, index) => path[index] === undefined || path[index] === key));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
