import type { QueryClient } from '@tanstack/react-query';
import type { FileChanges } from '@dragoman/protocol';
import { useState } from 'react';
import { putAnswer, useAction } from '../../../api/calls.ts';
import { Confirm } from '../../../design/confirm.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { useStored } from '../../../design/use-stored.ts';
import { useMedia } from '../../../design/use-media.ts';
import { type ChangedFile, ChangedFileRow } from './changed-file-row.tsx';
import { sideWords } from './side-words.ts';
import { stageState, type StageState } from './stage-state.ts';
import { StageBox } from './stage-box.tsx';
import type { ReviewState } from './use-review.ts';

interface ChangedFilesProps {
  sessionId: string;
  changes: FileChanges;
  mayAct: boolean;
  review: ReviewState;
}

/** Every changed file, to look at, to stage, to discard. */
export function ChangedFiles({ sessionId, changes, mayAct, review }: ChangedFilesProps) {
  const words = sideWords.use();
  const { files } = changes;
  const [mode, setMode] = useStored('diff-mode', (stored) => (stored === 'split' ? 'split' : 'inline'));
  const [discarding, setDiscarding] = useState<ChangedFile>();
  const isNarrow = useMedia('(max-width: 639px)');
  const onDone = useTakeChanges(sessionId);
  const stage = useAction('stageFiles', { onDone, changes: ['readDiff'] });
  const discard = useAction('discardChanges', { onDone, changes: ['readDiff', 'readFile', 'listFiles'] });
  const setStaged = (chosen: readonly ChangedFile[], isStaged: boolean) =>
    stage.mutate({ sessionId, paths: chosen.map(({ path }) => path), isStaged }, { onError: sayError });
  // What was asked for is shown at once; the answer says how it is.
  const { isPending, variables } = stage;
  const stateOf = (chosen: readonly ChangedFile[]): StageState => {
    const isAsked = isPending && chosen.every(({ path }) => variables.paths.includes(path));
    return isAsked ? (variables.isStaged ? 'staged' : 'unstaged') : stageState(chosen);
  };
  const all = stateOf(files);
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-3 py-1.5 text-xs text-faint">
        {mayAct && (
          <StageBox
            label={words.stageAll}
            state={all}
            isDisabled={isPending}
            onChange={() => setStaged(files, all !== 'staged')}
          />
        )}
        <span className="flex-1">{words.files(files.length)}</span>
        {!isNarrow && (
          <Segmented
            label={words.diffMode}
            value={mode}
            onChange={setMode}
            options={[
              { value: 'inline', label: words.diffModes.inline },
              { value: 'split', label: words.diffModes.split },
            ]}
          />
        )}
      </div>
      <ul>
        {files.map((file) => (
          <ChangedFileRow
            key={file.path}
            sessionId={sessionId}
            file={file}
            mode={isNarrow ? 'inline' : mode}
            mayAct={mayAct}
            state={stateOf([file])}
            isStaging={isPending}
            review={review}
            onStage={(isStaged) => setStaged([file], isStaged)}
            onDiscard={() => setDiscarding(file)}
          />
        ))}
      </ul>
      <Confirm
        isOpen={discarding !== undefined}
        onClose={() => setDiscarding(undefined)}
        title={words.discardTitle}
        confirm={words.discardYes}
        isBusy={discard.isPending}
        onConfirm={() =>
          discard.mutate(
            { sessionId, paths: [discarding!.path] },
            { onError: sayError, onSettled: () => setDiscarding(undefined) },
          )
        }
      >
        {discarding !== undefined && (
          <p className="contained">
            {discarding.unstaged === 'added' ? words.discardNew(discarding.path) : words.discardAbout(discarding.path)}
          </p>
        )}
        <p className="mt-2">{words.forGood}</p>
      </Confirm>
    </>
  );
}

/** The answer to every change is how things stand after it. */
function useTakeChanges(sessionId: string) {
  return (answer: FileChanges, _input: unknown, cache: QueryClient) =>
    putAnswer(cache, 'listFileChanges', { sessionId }, answer);
}
