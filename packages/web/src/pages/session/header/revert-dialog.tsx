import type { SessionView } from '@dragoman/protocol';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Confirm } from '../../../design/confirm.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { say } from '../../../design/toasts.tsx';
import { isRunning, promptsOf, type ShownPrompt } from '../session-status.ts';
import { sessionWords } from '../session-words.ts';

interface RevertDialogProps {
  view: SessionView;
  /** The prompt that was pointed at; the last one where none was. */
  messageId: string | undefined;
  onClose: () => void;
  /** What the prompt said that is gone now, to write it anew. */
  onDone: (text: string) => void;
}

/** Takes a prompt and what followed out of the session, after saying what that means. It is shown while it is open. */
export function RevertDialog({ view, messageId, onClose, onDone }: RevertDialogProps) {
  const words = sessionWords.use();
  const prompts = promptsOf(view);
  const [chosenId, setChosenId] = useState(messageId ?? prompts[0]?.id);
  const chosen = prompts.find(({ id }) => id === chosenId);
  const revert = useAction('revertSession', {
    changes: ['listFileChanges', 'readDiff', 'readFile', 'listFiles'],
  });
  const isBusy = isRunning(view);
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={words.revertTitle}
      confirm={words.revertYes}
      isBusy={revert.isPending}
      onConfirm={() => {
        if (chosen === undefined || isBusy) return;
        const { id, text } = chosen; // It may be gone from the session before the answer is here.
        revert.mutate(
          { sessionId: view.info.id, messageId: id },
          {
            onSuccess({ files }) {
              say(words.reverted(files.length));
              onDone(text);
            },
          },
        );
      }}
    >
      <PromptChoice prompts={prompts} chosenId={chosenId} onChoose={setChosenId} />
      <p className="mt-3 mb-1 font-medium text-ink">{words.revertWhat}</p>
      <ul className="mb-2 list-disc space-y-1 pl-5">
        <li>{words.revertTakes(prompts.findIndex(({ id }) => id === chosenId) + 1)}</li>
        <li>{words.revertFiles}</li>
        <li>{words.revertStays}</li>
        <li className="font-medium text-ink">{words.revertForGood}</li>
      </ul>
      {isBusy && <Notice tone="warn">{words.revertRunning}</Notice>}
      {revert.error !== null && <Failure error={revert.error} />}
    </Confirm>
  );
}

interface PromptChoiceProps {
  prompts: readonly ShownPrompt[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
}

function PromptChoice({ prompts, chosenId, onChoose }: PromptChoiceProps) {
  const words = sessionWords.use();
  return (
    <fieldset>
      <legend className="mb-1 text-xs text-faint">{words.revertWhich}</legend>
      <div className="max-h-48 overflow-y-auto rounded-md border border-line">
        {prompts.map(({ id, text, at }) => (
          <label
            key={id}
            className="flex items-center gap-2 border-b border-line px-2.5 py-1.5 last:border-b-0 hover:bg-hover has-checked:bg-accent-wash"
          >
            <input
              type="radio"
              name="revert-prompt"
              className="accent-accent"
              checked={id === chosenId}
              onChange={() => onChoose(id)}
            />
            <span className="contained line-clamp-2 flex-1 text-ink">
              {text === '' ? words.attachmentsOnly : text.slice(0, 300)}
            </span>
            <TimeAgo at={at} className="shrink-0 text-xs text-faint" />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
