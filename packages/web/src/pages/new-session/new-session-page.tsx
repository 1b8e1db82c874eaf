import { MonitorOff } from 'lucide-react';
import { useMe } from '../../api/me.ts';
import { useRunners, useUsableRunners } from '../../api/runners.ts';
import { useSessions } from '../../api/sessions.ts';
import { ConnectMachine } from '../../connect-machine/connect-machine.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Failure } from '../../design/failure.tsx';
import { Notice } from '../../design/notice.tsx';
import { Page } from '../../design/page.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { useCommonWords } from '../../words/common-words.ts';
import { NewSessionComposer } from './new-session-composer.tsx';
import { newSessionWords } from './new-session-words.ts';

/** Starts a session: what it is to do, and where and how. */
export function NewSessionPage() {
  const words = newSessionWords.use();
  return (
    <Page title={words.title} width="reading" back={words.back}>
      <NewSession />
    </Page>
  );
}

function NewSession() {
  const words = newSessionWords.use();
  const common = useCommonWords();
  const me = useMe();
  const { error, retry } = useRunners();
  const runners = useUsableRunners();
  const { sessions, error: sessionsError } = useSessions();
  if (me?.role === 'viewer') return <Notice>{common.viewerOnly}</Notice>;
  // Without a list of sessions nothing is filled in, and a session can be started all the same.
  if (runners !== undefined && (sessions !== undefined || sessionsError !== null)) {
    if (runners.length > 0) return <NewSessionComposer runners={runners} sessions={sessions ?? []} />;
    return (
      <EmptyState icon={<MonitorOff size={28} aria-hidden />} title={words.noMachine}>
        <p className="mb-2">{words.noMachineText}</p>
        <ConnectMachine />
      </EmptyState>
    );
  }
  if (error !== null) return <Failure error={error} onRetry={retry} />;
  return (
    <div aria-busy className="flex flex-col gap-3">
      <Skeleton className="h-48" />
      <Skeleton className="h-8" />
    </div>
  );
}
