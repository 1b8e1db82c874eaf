import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { useUsableRunners } from '../../../api/runners.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { say } from '../../../design/toasts.tsx';
import { FolderPicker } from '../../../folder-picker/folder-picker.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { contextWords } from '../context-words.ts';

/** Chooses a folder of the server to index. */
export function AddWorkspace({ onClose }: { onClose: () => void }) {
  const words = contextWords.use();
  const common = useCommonWords();
  const navigate = useNavigate();
  const [root, setRoot] = useState('');
  // Only the server's own machine can be walked through here; where it takes no sessions, its path is typed.
  const server = useUsableRunners()?.find(({ isServer }) => isServer === true);
  const addition = useAction('addWorkspace', {
    changes: ['listWorkspaces'],
    onDone: ({ id, name }) => {
      say(words.added(name));
      onClose();
      void navigate({ to: '/context', search: { workspace: id } });
    },
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.addTitle}
      about={words.addAbout}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="primary"
            isBusy={addition.isPending}
            disabled={root.trim() === ''}
            onClick={() => addition.mutate({ root: root.trim() })}
          >
            {words.addButton}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 pb-2">
        <FolderPicker
          label={words.folder}
          hint={words.folderHint}
          value={root}
          runnerId={server?.id}
          onChange={setRoot}
          startsOpen
          isTyped={server === undefined}
        />
        {addition.error !== null && <Failure error={addition.error} />}
      </div>
    </Dialog>
  );
}
