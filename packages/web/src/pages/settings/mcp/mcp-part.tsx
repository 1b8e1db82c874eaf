import { Plug, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { settingsWords } from '../settings-words.ts';
import { AdminsOnly } from '../shared/admins-only.tsx';
import { SettingsState } from '../../../settings-state/settings-state.tsx';
import { Rows } from '../shared/rows.tsx';
import { useRemoveNamed } from '../shared/use-remove-named.ts';
import { namedIn, useSettings } from '../shared/use-settings.ts';
import { McpDialog } from './mcp-dialog.tsx';
import { mcpWords } from './mcp-words.ts';
import { ServerRow } from './server-row.tsx';

/** MCP servers and their tools. */
export function McpPart() {
  return (
    <AdminsOnly>
      <Servers />
    </AdminsOnly>
  );
}

function Servers() {
  const words = mcpWords.use();
  const shared = settingsWords.use();
  const edited = useSettings();
  const remove = useRemoveNamed('mcp');
  const workplace = useCall('readWorkplace', {}, { staleMs: 30_000 });
  const configured = namedIn(edited.settings, 'mcp');
  const [editing, setEditing] = useState<{ name?: string }>();
  const servers = workplace.data?.mcp;
  const open = (name?: string) => {
    edited.forgetError();
    setEditing(name === undefined ? {} : { name });
  };
  return (
    <Section
      title={words.title}
      about={words.about}
      actions={
        <div className="flex items-center gap-2">
          <IconButton
            label={words.retry}
            icon={<RefreshCw size={14} aria-hidden />}
            isBusy={workplace.isFetching}
            onClick={() => void workplace.refetch()}
          />
          <Button
            look="primary"
            size="small"
            icon={<Plus size={14} aria-hidden />}
            disabled={edited.settings === undefined}
            onClick={() => open()}
          >
            {words.add}
          </Button>
        </div>
      }
    >
      <SettingsState />
      {editing === undefined && edited.saveError !== null && (
        <div className="mb-3">
          <Failure error={edited.saveError} />
        </div>
      )}
      {workplace.error !== null && <Failure error={workplace.error} onRetry={() => void workplace.refetch()} />}
      {workplace.isPending && (
        <Panel>
          <p role="status" className="px-3 pt-3 text-xs text-faint">
            {words.connectingAll}
          </p>
          <SkeletonRows rows={3} />
        </Panel>
      )}
      {servers?.length === 0 && (
        <Panel>
          <EmptyState icon={<Plug size={24} aria-hidden />} title={words.none}>
            {words.noneAbout}
          </EmptyState>
        </Panel>
      )}
      {servers !== undefined && servers.length > 0 && (
        <Rows label={words.title}>
          {servers.map((server) => (
            <ServerRow
              key={server.name}
              server={server}
              isConfigured={configured[server.name] !== undefined}
              onEdit={() => open(server.name)}
              onSwitch={(isOn) => edited.change({ changes: [switched(server.name, isOn)] })}
              onRemove={() =>
                remove.mutate(
                  { name: server.name, setting: configured[server.name] },
                  { onSuccess: () => say(shared.removed), onError: sayError },
                )
              }
            />
          ))}
        </Rows>
      )}
      {editing !== undefined && (
        <McpDialog
          key={editing.name}
          edited={edited}
          server={
            editing.name === undefined ? undefined : { name: editing.name, setting: configured[editing.name] ?? {} }
          }
          taken={Object.keys(configured)}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Section>
  );
}

/** On is what servers are unless the file says otherwise. */
function switched(name: string, isOn: boolean) {
  return { path: ['mcp', name, 'enabled'], ...(!isOn && { value: false }) };
}
