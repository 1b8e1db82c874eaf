import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCall } from '../../../api/calls.ts';
import { useLogOut } from '../../../api/log-out.ts';
import { useMe } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { CopyButton } from '../../../design/copy-button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { useNow } from '../../../design/time-ago.tsx';
import { SettingsState } from '../../../settings-state/settings-state.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { AdminsOnly } from '../shared/admins-only.tsx';
import { useSettings } from '../shared/use-settings.ts';
import { aboutWords } from './about-words.ts';
import { Diagnostics } from './diagnostics.tsx';

/** Which server this is, how it is doing, and the way out. */
export function AboutPart() {
  const words = aboutWords.use();
  const common = useCommonWords();
  const me = useMe();
  const leave = useLogOut();
  return (
    <>
      <SettingsState />
      <Section title={words.server}>
        <Facts />
      </Section>
      <Section title={words.diagnostics} about={words.diagnosticsAbout}>
        <AdminsOnly>
          <Diagnostics />
        </AdminsOnly>
      </Section>
      <div className="flex flex-wrap items-center gap-3 border-t border-line pt-4 text-sm text-soft">
        <p className="min-w-60 flex-1">{me !== undefined && words.you(me.name, common.roles[me.role])}</p>
        <Button
          icon={<LogOut size={14} aria-hidden />}
          isBusy={leave.isPending}
          onClick={() => leave.mutate(undefined)}
        >
          {words.logOut}
        </Button>
      </div>
      <p className="mt-3 text-xs text-faint">{words.licence}</p>
    </>
  );
}

function Facts() {
  const words = aboutWords.use();
  const formats = useFormats();
  const now = useNow();
  const { data, error, refetch } = useCall('about', undefined, { everyMs: 30_000 });
  const file = useSettings().settings?.file;
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Panel>
        <SkeletonRows rows={5} height="h-6" />
      </Panel>
    );
  return (
    <Panel>
      <dl className="divide-y divide-line">
        <Fact name={words.version}>{data.version}</Fact>
        <Fact name={words.running}>{formats.duration(Math.max(0, now - data.startedAt))}</Fact>
        <Fact name={words.address} copied={data.publicUrl} />
        <Fact name={words.store}>{words.stores[data.store]}</Fact>
        <Fact name={words.memory}>{formats.bytes(data.memoryBytes)}</Fact>
        <Fact name={words.platform}>{`Node ${data.node} · ${data.platform}`}</Fact>
        {data.dataFolder !== undefined && <Fact name={words.dataFolder} copied={data.dataFolder} />}
        {file !== undefined && <Fact name={words.settingsFile} copied={file} />}
      </dl>
    </Panel>
  );
}

/** A name and what it is; a path or an address can be copied. */
function Fact({ name, copied, children }: { name: string; copied?: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center gap-3 px-3 py-1 text-sm">
      <dt className="w-28 shrink-0 text-faint sm:w-40">{name}</dt>
      <dd className="contained flex flex-1 items-center gap-2">
        {copied === undefined ? (
          children
        ) : (
          <>
            <code className="contained flex-1 font-mono text-xs">{copied}</code>
            <CopyButton text={copied} />
          </>
        )}
      </dd>
    </div>
  );
}
