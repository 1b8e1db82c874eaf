import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** One change, as the native watcher tells it. */
interface FileEvent {
  path: string;
  type: 'create' | 'update' | 'delete';
}

/**
 * Follows a tree without native code, where the server runs inside the editor.
 *
 * Only macOS and Windows come here (on Linux folders are watched one by one), and both follow a whole tree by
 * themselves. They say less than the native watcher: that something happened at a path. Whether it is still there is
 * looked up, because whoever follows has to know when the root itself is gone.
 */
export async function subscribe(
  root: string,
  onEvents: (error: Error | null, events: readonly FileEvent[]) => void,
  { ignore = [] }: { ignore?: readonly string[] } = {},
): Promise<{ unsubscribe(): Promise<void> }> {
  await stat(root);
  const watcher = watch(root, { recursive: true, persistent: false });
  const isIgnored = (path: string) => ignore.some((top) => path === top || path.startsWith(top + sep));
  watcher.on('error', (error) => onEvents(error, []));
  watcher.on('change', (_kind, name) => {
    if (name === null) {
      onEvents(new Error('more changed at once than the system could tell'), []);
      return;
    }
    const path = join(root, name.toString());
    if (isIgnored(path)) return;
    stat(path).then(
      () => onEvents(null, [{ path, type: 'update' }]),
      () => onEvents(null, [{ path, type: 'delete' }]),
    );
  });
  return { unsubscribe: async () => watcher.close() };
}
