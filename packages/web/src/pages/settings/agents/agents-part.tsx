import type { HubRunner } from '@dragoman/protocol';
import { Plus, Server } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../../api/me.ts';
import { useRunners } from '../../../api/runners.ts';
import { Button } from '../../../design/button.tsx';
import { ConnectMachine } from '../../../connect-machine/connect-machine.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { settingsWords } from '../settings-words.ts';
import { SettingsState } from '../../../settings-state/settings-state.tsx';
import { useRemoveNamed } from '../shared/use-remove-named.ts';
import { namedIn, useSettings } from '../shared/use-settings.ts';
import { AgentDialog } from './agent-dialog.tsx';
import { AgentRow } from './agent-row.tsx';
import { agentsWords } from './agents-words.ts';
import { Machine } from './machine.tsx';

/** The machines with their agents; admins add agents to those of servers, check and change them. */
export function AgentsPart() {
  const words = agentsWords.use();
  const shared = settingsWords.use();
  const common = useCommonWords();
  const tabs = shared.tabs;
  const isAdmin = useIsAdmin();
  const { runners, error, retry } = useRunners();
  const edited = useSettings();
  const remove = useRemoveNamed('agents');
  const configured = namedIn(edited.settings, 'agents');
  const [editing, setEditing] = useState<{ name?: string }>();
  const servers = runners?.filter(({ isServer }) => isServer === true) ?? [];
  const names = Object.keys(configured);
  const open = (name?: string) => {
    edited.forgetError();
    setEditing(name === undefined ? {} : { name });
  };
  return (
    <Section
      title={tabs.agents}
      about={isAdmin ? words.about : `${words.about} ${common.adminOnly}`}
      actions={
        isAdmin && (
          <Button
            look="primary"
            size="small"
            icon={<Plus size={14} aria-hidden />}
            disabled={edited.settings === undefined}
            onClick={() => open()}
          >
            {words.add}
          </Button>
        )
      }
    >
      <SettingsState />
      {error !== null && runners === undefined && <Failure error={error} onRetry={retry} />}
      {error === null && runners === undefined && (
        <Panel>
          <SkeletonRows rows={5} />
        </Panel>
      )}
      {runners?.length === 0 && (
        <EmptyState icon={<Server size={24} aria-hidden />} title={words.noMachines}>
          {words.noMachinesAbout}
        </EmptyState>
      )}
      {runners?.toSorted(serverFirst).map((runner) => (
        <Machine
          key={runner.id}
          runner={runner}
          isOnlyServer={servers.length === 1}
          configured={runner.isServer === true ? names : []}
          agentOf={(agent) => (
            <AgentRow
              key={agent.name}
              agent={agent}
              isConfigured={runner.isServer === true && names.includes(agent.name)}
              mayChange={isAdmin && runner.isServer === true}
              onEdit={() => open(agent.name)}
              onRemove={() =>
                remove.mutate(
                  { name: agent.name, setting: configured[agent.name] },
                  { onSuccess: () => say(shared.removed), onError: sayError },
                )
              }
            />
          )}
        />
      ))}
      <p className="mb-1.5 text-xs text-faint">{words.moreMachines}</p>
      <ConnectMachine />
      {editing !== undefined && (
        <AgentDialog
          key={editing.name}
          edited={edited}
          agent={
            editing.name === undefined ? undefined : { name: editing.name, setting: configured[editing.name] ?? {} }
          }
          taken={names}
          presets={(servers.toSorted(serverFirst)[0]?.agents ?? []).filter(
            ({ name, isPreset }) => isPreset === true && !names.includes(name),
          )}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Section>
  );
}

function serverFirst(one: HubRunner, other: HubRunner): number {
  return (
    Number(other.isServer === true) - Number(one.isServer === true) ||
    Number(other.isConnected) - Number(one.isConnected)
  );
}
