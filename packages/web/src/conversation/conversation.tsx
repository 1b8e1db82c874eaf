import { rowMaker, type SessionView } from '@dragoman/protocol';
import { ArrowDown, MessageSquareText } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useMe } from '../api/me.ts';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { EmptyState } from '../design/empty-state.tsx';
import { type OpenFile, OpenFileContext } from '../markdown/open-file.ts';
import { PictureSessionContext } from '../picture/picture-session.ts';
import './conversation.css';
import { ConversationContext } from './conversation-context.ts';
import { type ConversationHandle, useConversationHandle } from './conversation-handle.ts';
import { conversationWords } from './conversation-words.ts';
import { countNews } from './count-news.ts';
import { OpenState, OpenStateContext } from './open-state.ts';
import { RowFrame } from './row-frame.tsx';
import { useEnd } from './use-end.ts';
import { WorkingRow } from './working-row.tsx';

export type { ConversationHandle, FoundPlaces } from './conversation-handle.ts';

export interface ConversationProps {
  view: SessionView;
  /** What came before is still on its way. */
  isEnd?: boolean | undefined;
  /** It has come, and nothing else: everything stays where it is. */
  isGrownInFront?: boolean | undefined;
  /** The stream is connected: what is open moves. */
  isLive: boolean;
  mayAct: boolean;
  /** The event to show first, from the address. */
  at?: number | undefined;
  ref?: Ref<ConversationHandle>;
  onRevert?: ((messageId: string) => void) | undefined;
  onFork?: ((messageId: string) => void) | undefined;
  onTryAgain?: ((text?: string) => void) | undefined;
  onOpenFile?: OpenFile | undefined;
  /** Whether the end is in sight: what is there has been seen. */
  onAtEnd?: ((isAtEnd: boolean) => void) | undefined;
}

/** What was said and done in a session, as it happens. */
export function Conversation({
  view,
  isEnd = false,
  isGrownInFront = false,
  isLive,
  mayAct,
  at,
  ref,
  onRevert,
  onFork,
  onTryAgain,
  onOpenFile,
  onAtEnd,
}: ConversationProps) {
  const words = conversationWords.use();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [makeRows] = useState(rowMaker);
  // The plan that is in force stands above the composer, and so not here too.
  const rows = useMemo(
    () => makeRows(view).filter((row) => row.type !== 'plan' || row.shown.block !== view.plan),
    [makeRows, view],
  );
  // The last row is what is going on right now.
  const end = useEnd(scroller, { count: rows.length === 0 ? 0 : rows.length + 1, isEnd, seq: view.seq });
  const myId = useMe()?.userId;
  const newBelow = useMemo(
    () => (end.seenSeq === undefined ? 0 : countNews(rows, end.seenSeq, myId)),
    [rows, end.seenSeq, myId],
  );
  const [openState] = useState(() => new OpenState());
  const { handle, found } = useConversationHandle({ rows, scroller, list, end, openState });
  useImperativeHandle(ref, () => handle);

  const { isInSight, pause } = end;
  useLayoutEffect(() => openState.watchFolds(pause), [openState, pause]);
  useEffect(() => {
    onAtEnd?.(isInSight);
  }, [onAtEnd, isInSight]);
  const isThere = at !== undefined && view.seq >= at;
  const shownAt = useRef<number>(undefined);
  useEffect(() => {
    if (!isThere || shownAt.current === at) return;
    shownAt.current = at;
    handle.toSeq(at);
  }, [isThere, at, handle]);

  const sessionId = view.info.id;
  const lastTurnId = view.turn?.id;
  const canResume = view.capabilities.resume === true;
  const within = useMemo(
    () => ({ sessionId, mayAct, isLive, onRevert, onFork, onTryAgain, lastTurnId, canResume }),
    [sessionId, mayAct, isLive, onRevert, onFork, onTryAgain, lastTurnId, canResume],
  );
  return (
    <ConversationContext value={within}>
      <OpenStateContext value={openState}>
        <OpenFileContext value={onOpenFile}>
          <PictureSessionContext value={sessionId}>
            <div className="relative h-full">
              <div
                ref={scroller}
                role="log"
                aria-live="off" // What comes and goes while scrolling is no news; those are told below.
                aria-label={words.log}
                // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
                tabIndex={0}
                className="h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none] [scrollbar-gutter:stable_both-edges] focus-visible:-outline-offset-2"
              >
                {rows.length === 0 ? (
                  <Empty view={view} isLive={isLive} />
                ) : (
                  <Virtualizer
                    ref={list}
                    scrollRef={scroller}
                    data={[...rows, undefined]}
                    bufferSize={400}
                    shift={isGrownInFront}
                    onScroll={end.onScroll}
                  >
                    {(row, index) => (
                      <RowFrame
                        key={row?.key ?? 'now'}
                        row={row}
                        isFirst={index === 0}
                        isFound={found?.rowKey === row?.key && row !== undefined}
                      >
                        {row === undefined && <WorkingRow view={view} isLive={isLive} />}
                      </RowFrame>
                    )}
                  </Virtualizer>
                )}
              </div>
              {isEnd && (
                <p className="pointer-events-none absolute inset-x-0 top-2 text-center text-xs text-soft">
                  {words.earlierComes}
                </p>
              )}
              {!isInSight && rows.length > 0 && (
                <div
                  className={classNames(
                    'pointer-events-none absolute inset-x-0 bottom-3 flex justify-center',
                    // The answers to a question stay there on a phone.
                    view.approvals.some(({ decided }) => decided === undefined) && 'max-md:bottom-20',
                  )}
                >
                  <Button
                    size="small"
                    className="pointer-events-auto rounded-full! shadow-float"
                    icon={<ArrowDown size={13} aria-hidden />}
                    onClick={end.toEnd}
                  >
                    {newBelow > 0 ? words.newBelow(newBelow) : words.toEnd}
                  </Button>
                </div>
              )}
              <News view={view} />
            </div>
          </PictureSessionContext>
        </OpenFileContext>
      </OpenStateContext>
    </ConversationContext>
  );
}

function Empty({ view, isLive }: { view: SessionView; isLive: boolean }) {
  const words = conversationWords.use();
  const isComing = view.queue.length > 0;
  return (
    <div className="mx-auto max-w-3xl px-4">
      <EmptyState icon={<MessageSquareText size={28} aria-hidden />} title={words.empty}>
        {isComing ? words.emptyStarting : words.emptyNext}
      </EmptyState>
      <WorkingRow view={view} isLive={isLive} />
    </div>
  );
}

/** What happens by itself, told to who cannot see it. */
function News({ view }: { view: SessionView }) {
  const words = conversationWords.use();
  const { turn, approvals } = view;
  const isRunning = turn !== undefined && turn.finishedAt === undefined;
  const isAsking = approvals.some(({ decided }) => decided === undefined);
  const over =
    turn === undefined
      ? ''
      : turn.reason === undefined || turn.reason === 'done'
        ? words.turnOver
        : words.turnEnd[turn.reason];
  return (
    <p role="status" className="sr-only">
      {isAsking ? words.agentAsks : isRunning ? words.turnBegan : over}
    </p>
  );
}
