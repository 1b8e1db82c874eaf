import { useSearch } from '@tanstack/react-router';
import { FolderSearch, Plus } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../api/me.ts';
import { typedCommand } from '../../api/typed-command.ts';
import { Button } from '../../design/button.tsx';
import { CopyLine } from '../../design/copy-button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Failure } from '../../design/failure.tsx';
import { Notice } from '../../design/notice.tsx';
import { Page, Panel } from '../../design/page.tsx';
import { SkeletonRows } from '../../design/skeleton.tsx';
import { contextWords } from './context-words.ts';
import { AddWorkspace } from './workspaces/add-workspace.tsx';
import { useWorkspaces } from './workspaces/use-workspaces.ts';
import { WorkspaceList } from './workspaces/workspace-list.tsx';
import { WorkspaceView } from './workspace-view.tsx';

/** What the server knows of code: folders, how far each is, questions about them, and what is left out. */
export function ContextPage() {
  const words = contextWords.use();
  const isAdmin = useIsAdmin();
  const { workspace: asked } = useSearch({ from: '/inside/context' });
  const list = useWorkspaces();
  const [isAdding, setAdding] = useState(false);
  const workspaces = list.data?.workspaces;
  const isEmpty = workspaces?.length === 0;
  const chosen = workspaces?.find(({ id }) => id === asked) ?? (asked === undefined ? workspaces?.[0] : undefined);
  const add = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={words.title} actions={isAdmin && !isEmpty && add}>
      {list.error !== null && workspaces === undefined && (
        <Failure error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <SkeletonRows rows={3} height="h-16" />}
      {isEmpty && <NoWorkspace add={add} />}
      {workspaces !== undefined && !isEmpty && (
        // On a phone one sees the list, or the workspace one has chosen from it.
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <Panel className={asked === undefined ? 'overflow-hidden' : 'hidden overflow-hidden lg:block'}>
            <WorkspaceList workspaces={workspaces} chosen={chosen?.id} />
          </Panel>
          <div className={asked === undefined ? 'hidden lg:block' : ''}>
            {chosen === undefined ? (
              <Notice tone="warn" title={words.gone} />
            ) : (
              <WorkspaceView key={chosen.id} workspace={chosen} embeddingModel={list.data?.embeddingModel} />
            )}
          </div>
        </div>
      )}
      {isAdding && <AddWorkspace onClose={() => setAdding(false)} />}
    </Page>
  );
}

function NoWorkspace({ add }: { add: React.ReactNode }) {
  const words = contextWords.use();
  const isAdmin = useIsAdmin();
  return (
    <Panel>
      <EmptyState
        icon={<FolderSearch size={28} aria-hidden />}
        title={words.emptyTitle}
        action={isAdmin ? add : words.emptyForOthers}
      >
        <p>{words.empty}</p>
        <div className="mx-auto my-2 max-w-sm text-left">
          <CopyLine text={typedCommand('index ~/src/project')} />
        </div>
        <p>{words.emptyAugment}</p>
      </EmptyState>
    </Panel>
  );
}
