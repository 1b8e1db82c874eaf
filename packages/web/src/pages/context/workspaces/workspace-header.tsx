import { Link, useNavigate } from '@tanstack/react-router';
import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { ArrowLeft, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { useMayAct } from '../../../api/me.ts';
import { Confirm } from '../../../design/confirm.tsx';
import { Failure } from '../../../design/failure.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { contextWords } from '../context-words.ts';
import { isWorking } from './use-workspaces.ts';
import { workspacePlace } from './workspace-place.ts';
import { WorkspaceState } from './workspace-state.tsx';

/** A workspace: where it is, how it stands, and what can be done with it. */
export function WorkspaceHeader({ workspace }: { workspace: WorkspaceInfo }) {
  const words = contextWords.use();
  const mayAct = useMayAct();
  const [isRemoving, setRemoving] = useState(false);
  const refreshing = useAction('refreshWorkspace', {
    changes: ['listWorkspaces', 'listLeftOut', 'searchCode'],
    onDone: () => say(words.refreshing),
  });
  const { id: workspaceId, name, problem } = workspace;
  return (
    <header className="flex flex-col gap-2">
      <Link
        to="/context"
        className="flex items-center gap-1.5 self-start text-sm text-accent hover:underline lg:hidden"
      >
        <ArrowLeft size={15} aria-hidden />
        {words.allWorkspaces}
      </Link>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="contained text-lg font-semibold">{name}</h2>
          <p className="contained font-mono text-xs text-faint">{workspacePlace(workspace)}</p>
        </div>
        {mayAct && (
          <>
            <IconButton
              label={words.refresh}
              icon={<RefreshCw size={15} aria-hidden />}
              isBusy={refreshing.isPending}
              disabled={isWorking(workspace)}
              onClick={() => refreshing.mutate({ workspaceId }, { onError: sayError })}
            />
            <IconButton
              label={words.remove}
              icon={<Trash2 size={15} aria-hidden />}
              onClick={() => setRemoving(true)}
            />
          </>
        )}
      </div>
      <WorkspaceState workspace={workspace} />
      {/* Told when it changes; the numbers of the progress are not. */}
      <p role="status" className="sr-only">
        {words.states[workspace.state]}
      </p>
      {problem !== undefined && <Notice tone="bad" title={words.says(problem)} />}
      <RemoveWorkspace workspace={workspace} isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </header>
  );
}

interface RemoveWorkspaceProps {
  workspace: WorkspaceInfo;
  isOpen: boolean;
  onClose: () => void;
}

function RemoveWorkspace({ workspace: { id, name }, isOpen, onClose }: RemoveWorkspaceProps) {
  const words = contextWords.use();
  const navigate = useNavigate();
  const removal = useAction('removeWorkspace', {
    changes: ['listWorkspaces'],
    onDone: () => {
      say(words.removed(name));
      onClose();
      void navigate({ to: '/context', search: {} });
    },
  });
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => removal.mutate({ workspaceId: id })}
      isBusy={removal.isPending}
      title={words.removeTitle(name)}
      confirm={words.removeButton}
    >
      <p>{words.removeText}</p>
      {removal.error !== null && (
        <div className="mt-3">
          <Failure error={removal.error} />
        </div>
      )}
    </Confirm>
  );
}
