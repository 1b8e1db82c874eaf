import type { HubRunner, HubSession } from '@dragoman/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../api/calls.ts';
import { Button } from '../../design/button.tsx';
import { Failure } from '../../design/failure.tsx';
import { SelectField, TextAreaField } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { Panel } from '../../design/page.tsx';
import { Switch } from '../../design/switch.tsx';
import { FolderPicker } from '../../folder-picker/folder-picker.tsx';
import { useFolder } from '../../folder-picker/use-folder.ts';
import { useFolderCheck } from '../../folder-picker/use-folder-check.ts';
import { AgentChoice } from './agent-choice.tsx';
import { ChoiceFields } from './choice-fields.tsx';
import { keepPrompt, keptPrompt } from './kept-prompt.ts';
import { newSessionWords } from './new-session-words.ts';
import { RecentChoice } from './recent-choice.tsx';
import { recentCombinations } from './recent-combinations.ts';
import { fillIn, type SessionDraft, startOf } from './session-draft.ts';

interface NewSessionFormProps {
  /** The machines somebody may use; at least one. */
  runners: readonly HubRunner[];
  sessions: readonly HubSession[];
}

/** Everything a session starts with, likely things filled in. */
export function NewSessionForm({ runners, sessions }: NewSessionFormProps) {
  const words = newSessionWords.use();
  const navigate = useNavigate();
  const search = useSearch({ from: '/inside/new' });
  const [draft, setDraft] = useState<SessionDraft>(() => ({
    runnerId: search.runner,
    agent: search.agent,
    folder: search.folder,
    model: '',
    mode: '',
    worktree: false,
    prompt: keptPrompt(),
  }));
  const [isTried, setTried] = useState(false);
  const start = useAction('createSession', {
    onDone: ({ id }) => {
      keepPrompt('');
      void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } });
    },
  });
  const likely = fillIn(draft, runners, sessions);
  const { runner, agent, folder } = likely;
  const isRepository = useFolder(runner?.id, folder).listing?.isRepository === true && folder.trim() !== '';
  const check = useFolderCheck(runner?.id, folder);
  const change = (changes: Partial<SessionDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    const call = startOf(draft, likely, isRepository);
    if (call !== undefined && !start.isPending) check.before(() => start.mutate(call));
  };

  return (
    <>
      <RecentChoice
        combinations={recentCombinations(sessions, runners)}
        runners={runners}
        current={agent && runner && { agent: agent.name, runnerId: runner.id, folder }}
        onChoose={({ agent: name, runnerId, folder: path }) => change({ agent: name, runnerId, folder: path })}
      />
      <Panel className="p-4">
        <form className="flex flex-col gap-4" onSubmit={submit}>
          {runners.length > 1 && (
            <SelectField
              label={words.machine}
              value={runner?.id}
              onChange={(event) => change({ runnerId: event.target.value, folder: undefined, agent: undefined })}
            >
              {runners.map((one) => (
                <option key={one.id} value={one.id}>
                  {[
                    one.name,
                    ...(one.isServer === true ? [words.server] : []),
                    ...(one.isConnected ? [] : [words.away]),
                  ].join(' · ')}
                </option>
              ))}
            </SelectField>
          )}
          {runner?.isConnected === false && <Notice tone="warn">{words.machineAway}</Notice>}
          {runner?.agents.length === 0 ? (
            <Notice tone="warn" title={words.noAgents}>
              {words.noAgentsText}
            </Notice>
          ) : (
            <AgentChoice
              agents={runner?.agents ?? []}
              chosen={agent?.name}
              // Models and modes of one agent mean nothing to another.
              onChange={(name) => change({ agent: name, model: '', mode: '' })}
            />
          )}
          <FolderPicker
            key={runner?.id}
            runnerId={runner?.id}
            label={words.folder}
            value={folder}
            onChange={(path) => change({ folder: path })}
            error={isTried && folder.trim() === '' ? words.folderWanted : check.problem}
          />
          {isRepository && (
            <Switch
              label={words.worktree}
              about={words.worktreeAbout}
              isOn={draft.worktree}
              onChange={(worktree) => change({ worktree })}
            />
          )}
          {agent !== undefined && <ChoiceFields agent={agent} sessions={sessions} draft={draft} onChange={change} />}
          <TextAreaField
            label={words.prompt}
            hint={words.promptHint}
            placeholder={words.promptPlaceholder}
            rows={5}
            value={draft.prompt}
            onChange={({ target }) => {
              change({ prompt: target.value });
              keepPrompt(target.value);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
              event.preventDefault();
              submit();
            }}
          />
          {isTried && agent === undefined && <Notice tone="bad">{words.agentWanted}</Notice>}
          {start.error !== null && <Failure error={start.error} />}
          <Button
            type="submit"
            look="primary"
            className="self-end max-sm:w-full"
            isBusy={check.isBusy || start.isPending || start.isSuccess}
          >
            {words.start}
          </Button>
        </form>
      </Panel>
    </>
  );
}
