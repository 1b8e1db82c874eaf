import { formatSetting } from '../config/config-problem.ts';
import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import { readCall } from '../door/read-call.ts';
import { changeSettings, changeSharedSettings } from './change-settings.ts';
import { listKeptSecrets, removeKeptSecret } from './kept-secrets.ts';
import { peopleHandlers } from './people-handlers.ts';
import { readSettings } from './read-settings.ts';
import type { Diagnosis, SettingsHandlers, SettingsParts } from './settings-plugin.ts';
import { tokenHandlers } from './token-handlers.ts';

/** What answers, by the name of the call. A call of the table that nobody answers is a type error here. */
export function settingsHandlers(parts: SettingsParts): SettingsHandlers {
  const { source, watch, shared } = parts;
  const settings = async () => {
    const forNextStart = parts.forNextStart();
    return {
      ...readSettings(source, watch().problem, shared),
      ...(forNextStart.length > 0 && { forNextStart }),
      ...(shared !== undefined && { servers: await shared.servers() }),
    };
  };
  let diagnosing: Promise<Diagnosis> | undefined;
  return {
    async readSettings() {
      await shared?.refresh();
      return settings();
    },
    async changeSettings(request) {
      const { caller, body } = readCall(SETTINGS_CALLS, 'changeSettings', request);
      const reload = () => watch().reload();
      if (shared === undefined) changeSettings(source, body, reload);
      else await changeSharedSettings(source, body, { shared, reload });
      const changed = body.changes.map(({ path }) => formatSetting(path));
      const secrets = Object.keys(body.secrets ?? {});
      request.log.info({ user: caller.userName, settings: changed, secrets }, 'settings were changed');
      return settings();
    },
    async listSecrets() {
      return { secrets: listKeptSecrets(source, parts.secretUses) };
    },
    async removeSecret(request) {
      const { caller, params } = readCall(SETTINGS_CALLS, 'removeSecret', request);
      await removeKeptSecret(source, params.name, { otherUses: parts.secretUses, shared });
      request.log.info({ user: caller.userName, secrets: [params.name] }, 'a secret was removed');
      return {};
    },
    async about(request) {
      const { caller } = readCall(SETTINGS_CALLS, 'about', request);
      return {
        version: parts.version,
        node: process.versions.node,
        platform: `${process.platform} ${process.arch}`,
        startedAt: parts.startedAt,
        store: parts.store.engine,
        memoryBytes: process.memoryUsage.rss(),
        ...(caller.role === 'admin' && { dataFolder: parts.dataFolder }),
        publicUrl: parts.publicUrl(),
      };
    },
    async diagnose() {
      // Whoever asks meanwhile gets the same.
      diagnosing ??= parts.diagnose().finally(() => (diagnosing = undefined));
      const { findings, settings } = await diagnosing;
      return { isWell: findings.every(({ isWell }) => isWell), findings, settings };
    },
    ...peopleHandlers(parts),
    ...tokenHandlers(parts),
  };
}
