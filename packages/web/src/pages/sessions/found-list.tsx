import type { SearchHit } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useCall } from '../../api/calls.ts';
import { EmptyState } from '../../design/empty-state.tsx';
import { Failure } from '../../design/failure.tsx';
import { Panel } from '../../design/page.tsx';
import { SkeletonRows } from '../../design/skeleton.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { bySession, type FoundSession, markedPieces } from './found-places.ts';
import { sessionsWords } from './sessions-words.ts';

const MOST = 100;

/** What was found, by session; each place leads to where it was said. */
export function FoundList({ q }: { q: string }) {
  const words = sessionsWords.use();
  const { data, error, refetch, isPlaceholderData } = useCall('search', { q, limit: MOST }, { keepsPrevious: true });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Panel>
        <SkeletonRows rows={6} />
      </Panel>
    );
  const found = bySession(data.hits);
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
      <p role="status" className="mb-2 text-xs text-faint">
        {found.length > 0 && words.hits(data.hits.length, found.length)}
        {data.hits.length === MOST && ` · ${words.mostHits(MOST)}`}
      </p>
      {found.length === 0 ? (
        <EmptyState icon={<SearchX size={28} aria-hidden />} title={words.noHits}>
          {words.noHitsAbout}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-3">
          {found.map((session) => (
            <li key={session.sessionId}>
              <Session session={session} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Session({ session: { sessionId, title, hits } }: { session: FoundSession }) {
  // A hit in the title is shown as the title itself.
  const titleHit = hits.find(({ seq }) => seq === 0);
  const places = hits.filter(({ seq }) => seq !== 0);
  return (
    <Panel className="overflow-hidden">
      <h2 className="border-b border-line bg-raised px-3 py-1.5 text-sm font-semibold">
        <Link to="/sessions/$sessionId" params={{ sessionId }} className="contained block hover:underline">
          {titleHit === undefined ? title : <Marked hit={titleHit} />}
        </Link>
      </h2>
      <ul>
        {places.map((hit) => (
          <li key={hit.seq} className="border-b border-line last:border-b-0">
            <Place hit={hit} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Place({ hit }: { hit: SearchHit }) {
  const words = sessionsWords.use();
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: hit.sessionId }}
      search={{ at: hit.seq }}
      className="block px-3 py-2 -outline-offset-2 hover:bg-raised"
    >
      <span className="mb-0.5 flex items-baseline gap-2 text-2xs text-faint">
        {words.roles[speakerOf(hit)]}
        <TimeAgo at={hit.at} />
      </span>
      <span className="contained block text-sm text-soft">
        <Marked hit={hit} />
      </span>
    </Link>
  );
}

function Marked({ hit }: { hit: SearchHit }) {
  return markedPieces(hit.excerpt, hit.marks).map(({ text, isMarked }, index) =>
    isMarked ? (
      <mark key={index} className="rounded-sm bg-warn-wash px-0.5 font-medium text-warn">
        {text}
      </mark>
    ) : (
      <span key={index}>{text}</span>
    ),
  );
}

function speakerOf({ role, kind }: SearchHit): 'user' | 'assistant' | 'agent' | 'thinking' | 'tool' {
  if (kind === 'thinking') return 'thinking';
  if (kind.startsWith('tool')) return 'tool';
  return role === 'user' || role === 'assistant' ? role : 'agent';
}
