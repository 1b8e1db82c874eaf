import type { ServerSettings } from '@dragoman/protocol/console';
import { useCall } from '../api/calls.ts';
import { useIsAdmin } from '../api/me.ts';
import { Notice } from '../design/notice.tsx';
import { settingsStateWords } from './settings-state-words.ts';

/** Says, to whoever can mend it, where settings are not in force as they are: here, at another server, or before a restart. */
export function SettingsState() {
  const words = settingsStateWords.use();
  const isAdmin = useIsAdmin();
  const { data } = useCall('readSettings', undefined, { isEnabled: isAdmin, everyMs: 30_000 });
  if (data === undefined) return null;
  const { problem, forNextStart = [], servers = [] } = data;
  const behind = servers.filter(({ isThis, isUpToDate }) => !isThis && !isUpToDate);
  const waiting = servers.length > 1 ? servers.filter((server) => server.forNextStart.length > 0) : [];
  const isRestartWanted = forNextStart.length > 0 || waiting.length > 0;
  if (problem === undefined && behind.length === 0 && !isRestartWanted) return null;
  return (
    <div className="mb-5 space-y-3">
      {problem !== undefined && (
        <Notice tone="warn" title={words.notInForce}>
          <p>{words.notInForceAbout}</p>
          <Problem text={problem} />
        </Notice>
      )}
      {behind.map((server) => (
        <Notice key={server.name} tone="warn" title={words.behindTitle(server.name)}>
          <p>{words.behindAbout}</p>
          {server.problem !== undefined && <Problem text={server.problem} />}
        </Notice>
      ))}
      {isRestartWanted && (
        <Notice title={words.restartTitle}>
          {waiting.length === 0 ? (
            <Waiting title={words.restartThis} settings={forNextStart} />
          ) : (
            waiting.map((server: ServerSettings) => (
              <Waiting key={server.name} title={words.restartOf(server.name)} settings={server.forNextStart} />
            ))
          )}
        </Notice>
      )}
    </div>
  );
}

function Problem({ text }: { text: string }) {
  return <p className="mt-1 font-mono text-xs whitespace-pre-wrap">{text}</p>;
}

function Waiting({ title, settings }: { title: string; settings: readonly string[] }) {
  return (
    <p>
      {title} <span className="font-mono text-xs">{settings.join(', ')}</span>
    </p>
  );
}
