import { Link } from '@tanstack/react-router';
import { Keyboard, Plus } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useCall } from '../../api/calls.ts';
import { useMayAct } from '../../api/me.ts';
import { neverStarted } from '../../api/never-started.ts';
import { useAttention, useSessions } from '../../api/sessions.ts';
import { openOverlay } from '../../commands/overlay.ts';
import { buttonClasses } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Failure } from '../../design/failure.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { Page } from '../../design/page.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { AttentionList } from './attention/attention-list.tsx';
import { homeRows } from './attention/home-rows.ts';
import { useHomeKeyLines } from './attention/home-key-lines.ts';
import { type RowKeys, RowKeysContext } from './attention/row-keys.ts';
import { useHomeKeys } from './attention/use-home-keys.ts';
import { useLingering } from './attention/use-lingering.ts';
import { FailedChannels } from './failed-channels.tsx';
import { homeWords } from './home-words.ts';
import { QuietHome } from './quiet-home.tsx';

/** It is seen once. */
const Welcome = lazy(async () => ({ default: (await import('./welcome/welcome.tsx')).Welcome }));

const NOBODY = { waiting: [], failed: [], unread: [], running: [], quiet: [] };

/** What needs people, first; a welcome for who is here for the first time. */
export function HomePage() {
  const words = homeWords.use();
  const mayAct = useMayAct();
  const { sessions, error } = useSessions();
  const attention = useAttention();
  const approvals = useCall('listApprovals');
  const asked = approvals.data;
  const gateway = useCall('readGateway', undefined, { staleMs: 60_000 });
  const [keysOf] = useState(() => new Map<string, RowKeys>());
  useHomeKeys(keysOf);
  useHomeKeyLines();
  const rows = useMemo(() => homeRows(attention ?? NOBODY, asked?.approvals ?? []), [attention, asked]);
  const shown = useLingering(rows);

  const isOfflineOnly = gateway.data?.providers.every(({ isBuiltIn }) => isBuiltIn) === true;
  // What the gateway has to do with it matters only to who has no sessions; if it cannot say, that is no first visit.
  const isKnown =
    sessions !== undefined && (!sessions.every(neverStarted) || !gateway.isPending) && !approvals.isPending;
  const isFirstVisit = isKnown && sessions.every(neverStarted) && isOfflineOnly && mayAct;
  const waiting = attention?.waiting.length ?? 0;
  const failure = sessions === undefined ? error : approvals.error;
  return (
    <Page
      title={words.title}
      width={isFirstVisit ? 'wide' : 'reading'}
      actions={
        <>
          {shown.length > 0 && (
            <IconButton
              label={words.keys}
              className="pointer-coarse:hidden"
              icon={<Keyboard size={16} aria-hidden />}
              onClick={() => openOverlay('keys')}
            />
          )}
          {/* On a desktop the menu beside the page has it. */}
          {mayAct && !isFirstVisit && (
            <Link to="/new" className={classNames(buttonClasses('primary', 'small'), 'md:hidden')}>
              <Plus size={14} aria-hidden />
              {words.newSession}
            </Link>
          )}
        </>
      }
    >
      <p aria-live="polite" className="sr-only">
        {waiting > 0 && words.needsYou(waiting)}
      </p>
      {failure !== null && (
        <div className="mb-4">
          <Failure error={failure} onRetry={() => void approvals.refetch()} />
        </div>
      )}
      <FailedChannels />
      {!isKnown ? (
        failure === null && <HomeSkeleton />
      ) : (
        <RowKeysContext value={keysOf}>
          {shown.length > 0 && <AttentionList shown={shown} />}
          {isFirstVisit ? (
            <Suspense fallback={<HomeSkeleton />}>
              <Welcome />
            </Suspense>
          ) : (
            shown.length === 0 && <QuietHome sessions={sessions} isOfflineOnly={isOfflineOnly} />
          )}
        </RowKeysContext>
      )}
    </Page>
  );
}

function HomeSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-3">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  );
}
