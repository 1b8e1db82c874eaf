import type { HubSession } from '@dragoman/protocol';
import { CircleAlert, CircleQuestionMark, LoaderCircle } from 'lucide-react';
import { attentionOf } from '../api/attention.ts';
import { useMe } from '../api/me.ts';
import { shownStatus } from '../api/shown-status.ts';
import { useCommonWords } from '../words/common-words.ts';

/** What a session wants or does, as a sign; nothing of one that is quiet. */
export function SessionState({ session }: { session: HubSession }) {
  const words = useCommonWords();
  const userId = useMe()?.userId;
  const attention = attentionOf(session, userId);
  const label = attention === 'unread' ? words.unread : words.sessionStatus[shownStatus(session)];
  const sign = { size: 14, role: 'img', 'aria-label': label } as const;
  switch (attention) {
    case 'waiting':
      return <CircleQuestionMark {...sign} className="shrink-0 text-warn" />;
    case 'running':
      return <LoaderCircle {...sign} className="shrink-0 animate-spin text-busy" />;
    case 'failed':
      return <CircleAlert {...sign} className="shrink-0 text-bad" />;
    case 'unread':
      return <span role="img" aria-label={label} className="mx-0.75 size-2 shrink-0 rounded-full bg-accent" />;
    case 'quiet':
      return null;
  }
}
