import type { HubSession } from '@dragoman/protocol';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useRunners } from '../../api/runners.ts';
import { Panel } from '../../design/page.tsx';
import { Spinner } from '../../design/spinner.tsx';
import { useFormats } from '../../words/formats.ts';
import { folderName, type ListRow } from '../../arrangement/list-rows.ts';
import { SessionRow } from './session-row.tsx';
import { sessionsWords } from './sessions-words.ts';
import type { Selection } from './use-selection.ts';

interface SessionListProps {
  rows: readonly ListRow[];
  /** Rows are not below their folder, so each says its own. */
  showsFolders: boolean;
  scrollRef: RefObject<HTMLDivElement | null>;
  /** Nothing where the person may only read. */
  selection: Selection | undefined;
  onArchive: ((session: HubSession) => void) | undefined;
  menuOf: (session: HubSession, isActive: boolean) => ReactNode;
  /** There are more on the server after so many pages; asked for when the end comes into sight. */
  more: { after: number; load: () => void } | undefined;
}

/** The list, drawn as far as it is in sight. Arrow keys move in it, x selects and e archives; Tab goes past it. */
export function SessionList(props: SessionListProps) {
  const { rows, showsFolders, scrollRef, selection, onArchive, menuOf, more } = props;
  const words = sessionsWords.use();
  const { runners = [] } = useRunners();
  const order = rows.flatMap((row) => (row.type === 'session' ? [row.session] : []));
  const [activeId, setActive] = useState<string>();
  const active = order.find(({ id }) => id === activeId) ?? order[0];
  const list = useRef<VirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const linkOf = (id: string) => box.current?.querySelector<HTMLElement>(`[data-row="${id}"]`);
  const rowOf = (session: HubSession | undefined) => rows.findIndex((row) => row.key === session?.id);

  const moveTo = (session: HubSession | undefined) => {
    if (session === undefined) return;
    flushSync(() => setActive(session.id));
    list.current?.scrollToIndex(rowOf(session), { align: 'nearest' });
    focusOn(session.id);
  };
  // A row that was not in sight is hidden until it was measured.
  const focusOn = (id: string, tries = 30) => {
    const link = linkOf(id);
    link?.focus({ preventScroll: true });
    if (document.activeElement !== link && tries > 0) requestAnimationFrame(() => focusOn(id, tries - 1));
  };
  // A row that moves up because something was said in it would lose the focus on its way.
  useLayoutEffect(() => {
    if (hasFocus.current && active !== undefined && document.activeElement === document.body)
      linkOf(active.id)?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || active === undefined) return;
    const index = order.indexOf(active);
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => moveTo(order[index + 1]),
      ArrowUp: () => moveTo(order[index - 1]),
      Home: () => moveTo(order[0]),
      End: () => moveTo(order.at(-1)),
      x: () => selection?.toggle(active.id),
      X: () => selection?.toggle(active.id, true),
      Escape: () => selection?.end(),
      e() {
        if (onArchive === undefined) return;
        moveTo(order[index + 1] ?? order[index - 1]);
        onArchive(active);
      },
    };
    const act = keys[event.key];
    if (act === undefined || !(event.target as HTMLElement).matches('[data-row], [type=checkbox]')) return;
    event.preventDefault();
    act();
  };

  return (
    <>
      <Panel className="overflow-hidden">
        {/* The keys belong to the links and boxes inside, which have the focus. */}
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div
          ref={box}
          onKeyDown={onKeyDown}
          onFocus={() => (hasFocus.current = true)}
          onBlur={({ target }) => (hasFocus.current &&= !target.isConnected)}
        >
          <Virtualizer
            as="ul"
            item="li"
            ref={list}
            scrollRef={scrollRef}
            startMargin={START_MARGIN}
            keepMounted={[rowOf(active)].filter((index) => index >= 0)}
          >
            {rows.map((row) =>
              row.type === 'heading' ? (
                <Heading key={row.key} count={row.count} title={titleOf(row.heading)} about={aboutOf(row.heading)} />
              ) : (
                <SessionRow
                  key={row.key}
                  session={row.session}
                  machine={runners.length > 1 ? runners.find(({ id }) => id === row.session.runnerId)?.name : undefined}
                  showsFolder={showsFolders || row.session.isPinned}
                  isSelected={selection?.has(row.session.id) ?? false}
                  isActive={row.session.id === active?.id}
                  onFocus={() => setActive(row.session.id)}
                  isSelecting={selection?.isOn ?? false}
                  onSelect={selection && ((isRange) => selection.toggle(row.session.id, isRange))}
                  menu={menuOf(row.session, row.session.id === active?.id)}
                />
              ),
            )}
            {more !== undefined && <More key={`more after ${more.after}`} onSeen={more.load} />}
          </Virtualizer>
        </div>
      </Panel>
      <p className="mt-2 hidden text-2xs text-faint md:pointer-fine:block">{words.keys}</p>
    </>
  );

  function titleOf(heading: 'pinned' | 'others' | { folder: string }): string {
    return typeof heading === 'string' ? words[heading] : folderName(heading.folder);
  }
}

/** The padding of a page above its content. */
const START_MARGIN = 20;

function aboutOf(heading: 'pinned' | 'others' | { folder: string }): string | undefined {
  return typeof heading === 'string' ? undefined : heading.folder;
}

function Heading({ title, about, count }: { title: string; about: string | undefined; count: number }) {
  const formats = useFormats();
  return (
    <div className="flex items-baseline gap-2 border-b border-line bg-raised px-3 pt-2 pb-1.5">
      <h2 title={about} className="contained shrink-0 text-xs font-semibold">
        {title}
      </h2>
      {about !== undefined && <span className="min-w-0 flex-1 truncate text-2xs text-faint">{about}</span>}
      <span className="ml-auto text-2xs text-faint tabular-nums">{formats.count(count)}</span>
    </div>
  );
}

/** The end of what was read. It is made anew with every page, and asks for the next one when it comes into sight. */
function More({ onSeen }: { onSeen: () => void }) {
  const words = sessionsWords.use();
  const ask = useEffectEvent(onSeen);
  useEffect(() => ask(), []);
  return (
    <div role="status" className="flex items-center justify-center gap-2 py-3 text-xs text-faint">
      <Spinner />
      {words.loadingMore}
    </div>
  );
}
