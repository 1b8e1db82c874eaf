import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { useState } from 'react';
import { Segmented } from '../../design/segmented.tsx';
import { contextWords } from './context-words.ts';
import { LeftOutPart } from './left-out/left-out-part.tsx';
import { SearchPart } from './search/search-part.tsx';
import { WorkspaceHeader } from './workspaces/workspace-header.tsx';

/** One workspace: questions about it, or what of it is left out. */
export function WorkspaceView({
  workspace,
  embeddingModel,
}: {
  workspace: WorkspaceInfo;
  embeddingModel: string | undefined;
}) {
  const words = contextWords.use();
  const [part, setPart] = useState<'ask' | 'leftOut'>('ask');
  return (
    <div className="flex flex-col gap-4">
      <WorkspaceHeader workspace={workspace} />
      <div>
        <Segmented
          label={words.parts}
          value={part}
          options={[
            { value: 'ask', label: words.ask },
            { value: 'leftOut', label: words.leftOut },
          ]}
          onChange={setPart}
        />
      </div>
      {part === 'ask' ? (
        <SearchPart workspace={workspace} embeddingModel={embeddingModel} />
      ) : (
        <LeftOutPart workspaceId={workspace.id} />
      )}
    </div>
  );
}
