import type { HubSession } from '@dragoman/protocol';
import { isUnreadBy } from '../api/attention.ts';
import { useMe } from '../api/me.ts';
import { type ShownStatus, shownStatus } from '../api/shown-status.ts';
import { useCommonWords } from '../words/common-words.ts';
import type { Tone } from '../design/badge.tsx';
import { classNames } from '../design/class-names.ts';

/** The colour of a session's status, everywhere. */
export const STATUS_TONES: Record<ShownStatus, Tone> = {
  starting: 'busy',
  running: 'busy',
  waiting: 'warn',
  idle: 'neutral',
  stopped: 'neutral',
  failed: 'bad',
  interrupted: 'bad',
};

const DOTS: Record<Tone, string> = {
  neutral: 'bg-line-strong',
  accent: 'bg-accent',
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  busy: 'bg-busy',
};

/** How a session stands, as a dot; in words for who cannot see it. */
export function StatusDot({ status, isUnread = false }: { status: ShownStatus; isUnread?: boolean }) {
  const words = useCommonWords();
  const tone = status === 'idle' && isUnread ? 'accent' : STATUS_TONES[status];
  const isMoving = status === 'running' || status === 'starting';
  return <Dot tone={tone} label={words.sessionStatus[status]} isMoving={isMoving} />;
}

/** The same for a session of a list. */
export function SessionDot({ session }: { session: HubSession }) {
  return <StatusDot status={shownStatus(session)} isUnread={isUnreadBy(session, useMe()?.userId)} />;
}

function Dot({ tone, label, isMoving }: { tone: Tone; label: string; isMoving: boolean }) {
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={classNames('size-2 shrink-0 rounded-full', DOTS[tone], isMoving && 'animate-breathe')}
    />
  );
}
