import type { FileChanges } from '@dragoman/protocol';
import { useState } from 'react';
import { putAnswer, useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { TextAreaField } from '../../../design/field.tsx';
import { say } from '../../../design/toasts.tsx';
import { sideWords } from './side-words.ts';

/** Commits what is staged. */
export function CommitBox({ sessionId, changes }: { sessionId: string; changes: FileChanges }) {
  const words = sideWords.use();
  const [message, setMessage] = useState('');
  const staged = changes.files.filter((file) => file.staged !== undefined).length;
  const commit = useAction('commitChanges', {
    changes: ['readDiff'],
    onDone(answer, _input, cache) {
      putAnswer(cache, 'listFileChanges', { sessionId }, answer.changes);
      setMessage('');
      say(words.committed(answer.commit.slice(0, 9)));
    },
  });
  const mayCommit = staged > 0 && message.trim() !== '';
  return (
    <form
      className="shrink-0 space-y-2 border-t border-line p-2.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayCommit) commit.mutate({ sessionId, message });
      }}
    >
      {commit.error !== null && (
        <div className="max-h-40 overflow-y-auto">
          <Failure error={commit.error} />
        </div>
      )}
      <TextAreaField
        label={words.message}
        isLabelHidden
        rows={2}
        maxLength={10_000}
        placeholder={words.messageHint}
        value={message}
        onChange={({ target }) => setMessage(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="flex items-center gap-2">
        <span className="flex-1 text-xs text-faint">{staged === 0 ? words.commitHint : words.staged(staged)}</span>
        <Button type="submit" look="primary" disabled={!mayCommit} isBusy={commit.isPending}>
          {words.commit}
        </Button>
      </div>
    </form>
  );
}
