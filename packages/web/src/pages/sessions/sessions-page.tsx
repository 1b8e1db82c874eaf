import { useCallback, useEffect, useRef } from 'react';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { whenIdle } from '../../api/idle-queue.ts';
import { useMayAct } from '../../api/me.ts';
import { useSessionPages } from '../../api/session-pages.ts';
import { Button, buttonClasses } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Failure } from '../../design/failure.tsx';
import { Page, Panel } from '../../design/page.tsx';
import { Segmented } from '../../design/segmented.tsx';
import { SkeletonRows } from '../../design/skeleton.tsx';
import { FoundList } from './found-list.tsx';
import { listRows } from '../../arrangement/list-rows.ts';
import { NoSessions } from './no-sessions.tsx';
import { RowMenu } from './row-menu.tsx';
import { SearchBox } from './search-box.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SessionFilters } from './session-filters.tsx';
import { SessionList } from './session-list.tsx';
import { useChangeSearch, useFilter } from './sessions-search.ts';
import { useSessionsKeyLines } from './sessions-key-lines.ts';
import { sessionsWords } from './sessions-words.ts';
import { useArrangement } from './use-arrangement.ts';
import { useBulk } from './use-bulk.ts';
import { useSelection } from './use-selection.ts';

/** Every session there is: to find by what was said, to narrow down, and to put away. */
export function SessionsPage() {
  const words = sessionsWords.use();
  useSessionsKeyLines();
  const router = useRouter();
  // Who looks at the list opens one of it.
  useEffect(
    () => whenIdle(() => void router.loadRouteChunk(router.routesById['/inside/sessions/$sessionId'])),
    [router],
  );
  const mayAct = useMayAct();
  const search = useSearch({ from: '/inside/sessions' });
  const change = useChangeSearch();
  const onSearch = useCallback((q: string) => change({ q }), [change]);
  const { sessions, error, hasMore, pages, loadMore, retry } = useSessionPages(useFilter(search));
  const [arrangement, arrange] = useArrangement();
  const rows = sessions && listRows(sessions, arrangement);
  const selection = useSelection(rows?.flatMap((row) => (row.type === 'session' ? [row.key] : [])) ?? []);
  const bulk = useBulk();
  const scroller = useRef<HTMLDivElement>(null);
  const arePinned =
    selection.ids.length > 0 && sessions?.every(({ id, isPinned }) => isPinned || !selection.has(id)) === true;

  const list = () => {
    if (error !== null && rows === undefined) return <Failure error={error} onRetry={retry} />;
    if (rows === undefined)
      return (
        <Panel>
          <SkeletonRows rows={8} />
        </Panel>
      );
    if (rows.length === 0 && !hasMore) return <NoSessions search={search} onChange={change} />;
    return (
      <SessionList
        rows={rows}
        showsFolders={arrangement === 'time'}
        scrollRef={scroller}
        selection={mayAct ? selection : undefined}
        onArchive={mayAct ? ({ id, isArchived }) => bulk.change(isArchived ? 'unarchive' : 'archive', [id]) : undefined}
        menuOf={(session, isActive) =>
          mayAct && <RowMenu session={session} isActive={isActive} onChange={bulk.change} />
        }
        more={hasMore ? { after: pages, load: loadMore } : undefined}
      />
    );
  };

  return (
    <Page
      title={words.title}
      scrollRef={scroller}
      actions={
        mayAct && (
          // On a desktop the menu beside the page has it.
          <Link to="/new" className={classNames(buttonClasses('plain', 'small'), 'md:hidden')}>
            <Plus size={14} aria-hidden />
            {words.newSession}
          </Link>
        )
      }
      bar={
        <div className="flex flex-col gap-2 pb-2.5">
          <SearchBox inForce={search.q ?? ''} onSearch={onSearch} />
          {search.q === undefined && (
            <div className="flex min-h-row items-center gap-2">
              {selection.isOn ? (
                <SelectionBar
                  selection={selection}
                  count={sessions?.length ?? 0}
                  isArchive={search.archived === true}
                  arePinned={arePinned}
                  isBusy={bulk.isBusy}
                  onChange={bulk.change}
                />
              ) : (
                <>
                  <SessionFilters search={search} onChange={change} />
                  <span className="ml-auto flex items-center gap-2">
                    {mayAct && (
                      <Button size="small" look="quiet" disabled={!rows?.length} onClick={selection.start}>
                        {words.startSelecting}
                      </Button>
                    )}
                    <Segmented
                      label={words.arrange}
                      value={arrangement}
                      options={[
                        { value: 'folder', label: words.byFolder },
                        { value: 'time', label: words.flat },
                      ]}
                      onChange={arrange}
                    />
                  </span>
                </>
              )}
            </div>
          )}
        </div>
      }
    >
      {search.q === undefined ? list() : <FoundList q={search.q} />}
    </Page>
  );
}
