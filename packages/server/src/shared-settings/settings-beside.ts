import type { Store } from '../store/open-store.ts';
import { untilAllRead } from './settings-servers.ts';
import { readLayerCopy, type SharedLayer, writeLayerCopy } from './shared-layer.ts';
import { SETTINGS_CHANNEL, type SharedSettings } from './shared-settings.ts';
import type { SharedSettingsTables } from './shared-settings-tables.ts';
import { changeStoredLayer, readStoredLayer } from './stored-layer.ts';

/** The settings that servers share, for a command beside them. */
export interface SettingsBeside extends Pick<SharedSettings, 'change'> {
  read(): Promise<SharedLayer>;
}

/**
 * Opens the shared settings; they close with the store. Servers hear of a change as if one of them had made it. In the copy of
 * the data folder only the secrets are changed: the server writes the rest, because it knows what was in force.
 */
export function openSettingsBeside(store: Pick<Store, 'tables' | 'openChannel'>, file: string): SettingsBeside {
  const db = store.tables<SharedSettingsTables>();
  return {
    read: () => readStoredLayer(db),
    async change(version, make) {
      const channel = await store.openChannel(SETTINGS_CHANNEL, () => {});
      const { number, secrets } = await changeStoredLayer(db, version, make);
      await channel.notify('').catch(() => {}); // It holds; servers look for themselves every few seconds.
      writeLayerCopy(file, { ...readLayerCopy(file), secrets });
      await untilAllRead(db, number);
    },
  };
}
