import type { HubRunner, HubSession } from '@dragoman/protocol';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../api/calls.ts';
import { useKnownChoices } from '../../api/known-choices.ts';
import { AttachButton } from '../../composer/attach-button.tsx';
import { AttachmentList } from '../../composer/attachment-list.tsx';
import { handFocusOver } from '../../composer/hand-focus.ts';
import { composerWords } from '../../composer/composer-words.ts';
import { DropArea } from '../../composer/drop-area.tsx';
import { PromptBox } from '../../composer/prompt-box.tsx';
import { refusedOf, takesNothing, toBlock } from '../../composer/read-attachment.ts';
import { useAttachments } from '../../composer/use-attachments.ts';
import { Button } from '../../design/button.tsx';
import { Failure } from '../../design/failure.tsx';
import { useFolder } from '../../folder-picker/use-folder.ts';
import { useFolderCheck } from '../../folder-picker/use-folder-check.ts';
import { keepChoice, type KeptChoice, keptChoice } from './kept-choice.ts';
import { keepPrompt, keptPrompt } from './kept-prompt.ts';
import { newSessionWords } from './new-session-words.ts';
import { SessionChips } from './session-chips.tsx';
import { fillIn, type SessionDraft, startOf } from './session-draft.ts';

interface NewSessionComposerProps {
  /** The machines somebody may use; at least one. */
  runners: readonly HubRunner[];
  sessions: readonly HubSession[];
}

const NOTHING = {};

/** What the session is to do, first; where and how it works below it, likely things filled in. */
export function NewSessionComposer({ runners, sessions }: NewSessionComposerProps) {
  const words = newSessionWords.use();
  const composing = composerWords.use();
  const navigate = useNavigate();
  const search = useSearch({ from: '/inside/new' });
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const [draft, setDraft] = useState<SessionDraft>(() => ({ ...choiceFrom(search), prompt: keptPrompt() }));
  const [isFolderNamed, setFolderNamed] = useState(search.folder !== undefined);
  const [isTried, setTried] = useState(false);
  const start = useAction('createSession', {
    onDone: ({ id }) => {
      keepPrompt('');
      if (document.activeElement === box.current) handFocusOver();
      void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } });
    },
  });
  const said = fillIn(draft, runners, sessions);
  const place = useFolder(said.runner?.id, said.folder);
  // A folder that is only remembered and gone by now is asked for again; one that was named here is told to be wrong.
  const likely = place.isMissing && !isFolderNamed ? { ...said, folder: '' } : said;
  const { runner, agent, folder } = likely;
  const isRepository = place.listing?.isRepository === true && folder.trim() !== '';
  const known = useKnownChoices(agent);
  const check = useFolderCheck(runner?.id, folder);
  const capabilities = agent?.capabilities ?? NOTHING;
  const attachments = useAttachments(capabilities);

  const refused = refusedOf(attachments.items, capabilities);

  const change = (changes: KeptChoice) => {
    const next = { ...draft, ...changes };
    setDraft(next);
    keepChoice(next);
    if (changes.folder !== undefined) setFolderNamed(true);
  };
  const write = (prompt: string) => {
    setDraft({ ...draft, prompt });
    keepPrompt(prompt);
  };
  const submit = () => {
    setTried(true);
    const call = startOf(
      draft,
      likely,
      isRepository,
      attachments.items.map((item) => toBlock(item, capabilities)),
    );
    if (call !== undefined && refused === undefined && !start.isPending && !start.isSuccess)
      check.before(() => start.mutate(call));
  };
  const folderProblem = isTried && folder.trim() === '' ? words.folderWanted : check.problem;
  const agentProblem = agent === undefined ? words.agentWanted : agent.problem?.message;
  const isAgentWrong = agentProblem !== undefined && (isTried || agent?.problem !== undefined);
  const isBusy = check.isBusy || start.isPending || start.isSuccess;

  return (
    <DropArea isOff={false} onFiles={(files) => void attachments.add(files)}>
      <h2 className="mt-[8vh] mb-4 text-center text-2xl font-semibold tracking-tight max-md:hidden">{words.heading}</h2>
      <div className="relative">
        <div className="rounded-lg border border-line-strong bg-panel focus-within:border-accent">
          {attachments.items.length > 0 && <AttachmentList items={attachments.items} onRemove={attachments.remove} />}
          <PromptBox
            box={box}
            text={draft.prompt}
            onText={write}
            label={words.prompt}
            placeholder={words.promptPlaceholder}
            isLarge
            isReadOnly={isBusy}
            sources={{
              commands: [],
              place:
                runner?.isConnected === true && folder.trim() !== ''
                  ? { runnerId: runner.id, folder: folder.trim() }
                  : undefined,
              models: known.models.map((id) => ({ id })),
              modes: known.modes.map((id) => ({ id })),
              own: {
                chooseModel:
                  agent?.capabilities.models === true ? (id) => change({ agent: agent.name, model: id }) : undefined,
                chooseMode:
                  agent?.capabilities.modes === true ? (id) => change({ agent: agent.name, mode: id }) : undefined,
              },
            }}
            onSend={() => (draft.prompt.trim() !== '' || attachments.items.length > 0) && submit()}
            onPasteFiles={(files) => void attachments.add(files)}
          />
          <div className="flex items-center gap-1.5 px-2 pb-2">
            <AttachButton capabilities={capabilities} onFiles={(files) => void attachments.add(files)} />
            {agent !== undefined && takesNothing(capabilities) && (
              <span className="min-w-0 truncate text-2xs text-faint">{composing.noAttachments}</span>
            )}
            <span className="min-w-0 flex-1 truncate text-right text-2xs text-faint pointer-coarse:invisible">
              {words.hint}
            </span>
            <Button look="primary" isBusy={isBusy} onClick={submit} className="pointer-coarse:px-5">
              {words.start}
            </Button>
          </div>
        </div>
      </div>
      <div className="mt-3 flex flex-col gap-2">
        <SessionChips
          likely={likely}
          known={known}
          runners={runners}
          sessions={sessions}
          worktree={isRepository ? draft.worktree === true : undefined}
          wrong={isAgentWrong ? 'agent' : folderProblem === undefined ? undefined : 'folder'}
          onChange={change}
        />
        {isAgentWrong && <Wrong text={agentProblem} fix={agent?.problem?.fix} />}
        {!isAgentWrong && folderProblem !== undefined && <Wrong text={folderProblem} />}
        {refused !== undefined && <Wrong text={`${composing[refused]} ${composing.removeRefused}`} />}
        {runner?.isConnected === false && <p className="text-xs text-warn">{words.machineAway}</p>}
        {start.error !== null && <Failure error={start.error} />}
      </div>
    </DropArea>
  );
}

/** What is wrong with what a chip says. */
function Wrong({ text, fix }: { text: string; fix?: string | undefined }) {
  const words = newSessionWords.use();
  return (
    <p role="alert" className="contained text-sm text-bad">
      {text}
      {fix !== undefined && ` ${words.whatHelps} ${fix}`}
    </p>
  );
}

/** An address may say where to work; what it does not say is as it was chosen last. */
function choiceFrom(search: { runner?: string; agent?: string; folder?: string }): KeptChoice {
  const kept = keptChoice();
  return {
    ...kept,
    ...(search.folder !== undefined && { folder: search.folder, runnerId: undefined }),
    ...(search.runner !== undefined && { runnerId: search.runner }),
    ...(search.runner !== undefined && search.folder === undefined && { folder: undefined }),
    ...(search.agent !== undefined &&
      search.agent !== kept.agent && { agent: search.agent, model: undefined, mode: undefined }),
  };
}
