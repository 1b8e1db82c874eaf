import { DragomanError } from '@dragoman/protocol/error';
import { Link } from '@tanstack/react-router';
import { GitFork } from 'lucide-react';
import { useCall } from '../../../api/calls.ts';
import { sessionWords } from '../session-words.ts';

/** Which session a fork comes from: the two have one title, and much of the same to say. */
export function ForkOrigin({ sessionId }: { sessionId: string }) {
  const words = sessionWords.use();
  const { data, error } = useCall('getSession', { sessionId }, { staleMs: 300_000 });
  const label = data === undefined ? words.forkOf(words.anotherSession) : words.forkOf(data.title || words.untitled);
  const face = (text: string) => (
    <>
      <GitFork size={12} aria-hidden className="shrink-0" />
      <span className="contained truncate max-sm:sr-only">{text}</span>
    </>
  );
  if (error instanceof DragomanError && error.code === 'not-found')
    return (
      <span title={words.forkOfGone} className="flex min-w-0 items-center gap-1 px-1 text-xs text-faint">
        {face(words.forkOfGone)}
      </span>
    );
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId }}
      title={label}
      className="flex h-6 max-w-56 min-w-6 items-center justify-center gap-1 rounded-md px-1 text-xs text-soft hover:bg-hover hover:text-ink"
    >
      {face(label)}
    </Link>
  );
}
