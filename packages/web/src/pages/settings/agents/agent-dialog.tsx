import type { AgentOffer } from '@dragoman/protocol';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { say } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { settingsWords } from '../settings-words.ts';
import type { EditedSettings } from '../shared/use-settings.ts';
import { AgentCheckView } from './agent-check-view.tsx';
import {
  type AgentDraft,
  type AgentKind,
  agentDraftOf,
  agentMistakes,
  keptAgent,
  NEW_AGENT,
  triedAgent,
} from './agent-draft.ts';
import { AgentFields } from './agent-fields.tsx';
import { agentsWords } from './agents-words.ts';
import { useAgentCheck } from './use-agent-check.ts';

interface AgentDialogProps {
  edited: EditedSettings;
  /** The one that is changed; a new one where there is none. */
  agent: { name: string; setting: Record<string, unknown> } | undefined;
  taken: readonly string[];
  presets: readonly AgentOffer[];
  onClose: () => void;
}

const KINDS = ['acp', 'text', 'chat', 'preset'] as const;

/** Adds or changes an agent, and checks it before it is saved. */
export function AgentDialog({ edited, agent, taken, presets, onClose }: AgentDialogProps) {
  const words = agentsWords.use();
  const shared = settingsWords.use();
  const common = useCommonWords();
  const [draft, setDraft] = useState(() => (agent === undefined ? NEW_AGENT : agentDraftOf(agent.name, agent.setting)));
  const [isShown, setShown] = useState(false);
  const check = useAgentCheck();
  const mistakes = agentMistakes(draft, agent === undefined ? taken : []);
  const isGood = Object.keys(mistakes).length === 0;
  const change = (next: Partial<AgentDraft>) => setDraft({ ...draft, ...next });
  const chooseKind = (kind: Exclude<AgentKind, 'other'>) =>
    change({ kind, backend: kind === 'preset' ? '' : kind, ...(kind === 'preset' && { name: '' }) });

  const save = () => {
    setShown(true);
    if (!isGood) return;
    const { setting, secrets } = keptAgent(draft);
    edited.change({ changes: [{ path: ['agents', draft.name.trim()], value: setting }], secrets }, () => {
      say(shared.saved);
      onClose();
    });
  };
  const tryIt = () => {
    setShown(true);
    if (isGood) check.start({ name: draft.name.trim(), agent: triedAgent(draft) });
  };

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={agent === undefined ? words.addTitle : words.editTitle(agent.name)}
      about={words.addAbout}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button onClick={tryIt} disabled={check.since !== undefined}>
            {words.checkIt}
          </Button>
          <Button look="primary" type="submit" form="agent" isBusy={edited.isSaving}>
            {words.save}
          </Button>
        </>
      }
    >
      <form
        id="agent"
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {agent === undefined && draft.kind !== 'other' && (
          <div>
            <Segmented
              label={words.kind}
              value={draft.kind}
              options={KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
              onChange={chooseKind}
            />
          </div>
        )}
        <p className="text-xs text-faint">{words.kindAbout[draft.kind]}</p>
        <AgentFields
          draft={draft}
          mistakes={isShown ? mistakes : {}}
          onChange={change}
          presets={presets}
          isNew={agent === undefined}
        />
        {edited.saveError !== null && <Failure error={edited.saveError} />}
        <AgentCheckView check={check} />
      </form>
    </Dialog>
  );
}
