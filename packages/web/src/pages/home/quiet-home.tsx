import type { HubSession } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { CircleCheck, MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin, useMayAct } from '../../api/me.ts';
import { Button, buttonClasses } from '../../design/button.tsx';
import { EmptyState } from '../../design/empty-state.tsx';
import { Notice } from '../../design/notice.tsx';
import { ProviderSetup } from '../../provider-setup/provider-setup.tsx';
import { homeWords } from './home-words.ts';
import { RecentSessions } from './recent-sessions.tsx';

interface QuietHomeProps {
  sessions: readonly HubSession[];
  /** No provider is set up. */
  isOfflineOnly: boolean;
}

/** Nothing needs anybody: that, and where one may go on. */
export function QuietHome({ sessions, isOfflineOnly }: QuietHomeProps) {
  const words = homeWords.use();
  const mayAct = useMayAct();
  const isNew = sessions.length === 0;
  const text = isNew ? (mayAct ? words.readyText : words.viewerText) : words.noneText;
  return (
    <>
      <EmptyState
        icon={isNew ? <MessagesSquare size={28} aria-hidden /> : <CircleCheck size={28} aria-hidden />}
        title={isNew ? words.noSessions : words.noneTitle}
        action={
          isNew && mayAct ? (
            <Link to="/new" className={buttonClasses('primary')}>
              {words.firstSession}
            </Link>
          ) : undefined
        }
      >
        {text}
      </EmptyState>
      {isOfflineOnly && <OfflineOnly />}
      {!isNew && <RecentSessions sessions={sessions} />}
    </>
  );
}

function OfflineOnly() {
  const words = homeWords.use();
  const isAdmin = useIsAdmin();
  const [isOpen, setOpen] = useState(false);
  if (!isAdmin) return null;
  return (
    <div className="mb-6">
      <Notice
        title={words.offlineOnly}
        action={
          <Button size="small" onClick={() => setOpen(true)}>
            {words.setUp}
          </Button>
        }
      >
        {words.offlineOnlyText}
      </Notice>
      <ProviderSetup isOpen={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}
