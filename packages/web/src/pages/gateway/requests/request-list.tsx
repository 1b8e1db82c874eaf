import { Link } from '@tanstack/react-router';
import type { RequestInfo } from '@dragoman/protocol/console';
import { ListFilter, Waypoints } from 'lucide-react';
import { useRef, useState } from 'react';
import { Virtualizer } from 'virtua';
import { buttonClasses } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Panel } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { RequestDetail } from './request-detail.tsx';
import { REQUEST_COLUMNS, RequestRow } from './request-row.tsx';
import { requestsWords } from './requests-words.ts';

interface RequestListProps {
  /** Undefined until the first ones are there. */
  requests: readonly RequestInfo[] | undefined;
  isFiltered: boolean;
}

/** Requests, as many as there are; only those in sight are drawn. */
export function RequestList({ requests, isFiltered }: RequestListProps) {
  const words = requestsWords.use();
  const box = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<RequestInfo>();
  // At the top the newest come into sight; further down what one reads stays where it is.
  const [isAtTop, setAtTop] = useState(true);
  return (
    <Panel className="overflow-hidden">
      <Heads />
      <div
        ref={box}
        className="h-[max(22rem,calc(100dvh-26rem))] overflow-y-auto [overflow-anchor:none] [scrollbar-gutter:stable]"
      >
        {requests === undefined && <SkeletonRows rows={8} height="h-6" />}
        {requests?.length === 0 && (isFiltered ? <NoneFits /> : <NoneYet />)}
        {requests !== undefined && requests.length > 0 && (
          <div role="group" aria-label={words.list}>
            <Virtualizer
              as="ul"
              item="li"
              scrollRef={box}
              data={requests}
              shift={!isAtTop}
              onScroll={(offset) => setAtTop(offset < 8)}
            >
              {(request: RequestInfo) => <RequestRow key={request.id} request={request} onOpen={setOpened} />}
            </Virtualizer>
          </div>
        )}
      </div>
      {opened !== undefined && <RequestDetail request={opened} onClose={() => setOpened(undefined)} />}
    </Panel>
  );
}

/** What stands in which column, for who sees columns; a row reads well without. It leaves the room that the scrollbar of the rows takes. */
function Heads() {
  const words = requestsWords.use();
  const { at, end, route, target, userName, tokenName, tokens, cost, time } = words.fields;
  return (
    <div
      aria-hidden
      className={`${REQUEST_COLUMNS} hidden gap-x-3 overflow-hidden border-b border-line bg-raised px-4 py-1.5 text-2xs font-medium text-faint [scrollbar-gutter:stable] md:grid`}
    >
      <span>{at}</span>
      <span>{end}</span>
      <span className="truncate">{`${route} → ${target}`}</span>
      <span className="hidden truncate xl:block">{`${userName} / ${tokenName}`}</span>
      <span className="text-right">{tokens}</span>
      <span className="text-right">{cost}</span>
      <span className="text-right">{time}</span>
    </div>
  );
}

function NoneYet() {
  const words = requestsWords.use();
  return (
    <EmptyState
      icon={<Waypoints size={28} aria-hidden />}
      title={words.emptyTitle}
      action={
        <Link to="/gateway" search={{ tab: 'connect' }} className={buttonClasses('primary')}>
          {words.connect}
        </Link>
      }
    >
      {words.empty}
    </EmptyState>
  );
}

function NoneFits() {
  const words = requestsWords.use();
  return (
    <EmptyState icon={<ListFilter size={28} aria-hidden />} title={words.noneTitle}>
      {words.none}
    </EmptyState>
  );
}
