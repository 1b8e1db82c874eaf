import { useNavigate, useSearch } from '@tanstack/react-router';
import type { WorkspaceInfo } from '@dragoman/protocol/console';
import { SearchCode } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel } from '../../../design/page.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { isWorking } from '../workspaces/use-workspaces.ts';
import { PlaceList } from './place-list.tsx';
import { QuestionBox } from './question-box.tsx';
import { keepQuestions, readQuestions, withQuestion } from './recent-questions.ts';
import { searchWords } from './search-words.ts';

/** Asks about a workspace. The question stands in the address, so an answer can be linked to. */
export function SearchPart({
  workspace,
  embeddingModel,
}: {
  workspace: WorkspaceInfo;
  /** Where questions are sent to; undefined where they stay on the server. */
  embeddingModel: string | undefined;
}) {
  const words = searchWords.use();
  const navigate = useNavigate();
  const { q: question = '' } = useSearch({ from: '/inside/context' });
  const workspaceId = workspace.id;
  const [questions, setQuestions] = useState(() => readQuestions(workspaceId));
  const answer = useCall(
    'searchCode',
    { workspaceId, question },
    { isEnabled: question !== '', staleMs: 60_000, keepsPrevious: true },
  );
  const remember = (next: string[]) => {
    setQuestions(next);
    keepQuestions(workspaceId, next);
  };
  const ask = (asked: string) => {
    remember(withQuestion(questions, asked));
    if (asked === question) void answer.refetch();
    void navigate({ to: '/context', search: { workspace: workspaceId, q: asked } });
  };
  return (
    <div className="flex flex-col gap-4">
      <QuestionBox
        key={question}
        question={question}
        questions={questions}
        isBusy={answer.isFetching}
        onAsk={ask}
        onForget={() => remember([])}
      />
      {answer.isFetching && isWorking(workspace) && (
        <p role="status" className="text-sm text-soft">
          {words.working}
        </p>
      )}
      {answer.error !== null && <Failure error={answer.error} onRetry={() => void answer.refetch()} />}
      {question === '' && (
        <Panel>
          <EmptyState icon={<SearchCode size={28} aria-hidden />} title={words.startTitle}>
            {words.start(embeddingModel)}
          </EmptyState>
        </Panel>
      )}
      {question !== '' && answer.isPending && answer.error === null && (
        <div aria-busy className="flex flex-col gap-3">
          <Skeleton className="h-4 w-48" />
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </div>
      )}
      {question !== '' && answer.data !== undefined && (
        <div className={answer.isPlaceholderData ? 'opacity-60' : ''}>
          <PlaceList workspaceId={workspaceId} answer={answer.data} />
        </div>
      )}
    </div>
  );
}
