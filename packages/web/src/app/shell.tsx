import { Outlet, useRouterState } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followLists } from '../api/live-lists.ts';
import { Overlays } from '../commands/overlays.tsx';
import { useMe } from '../api/me.ts';
import { watchOutbox } from '../outbox/outbox.ts';
import { RefusedElsewhere } from '../outbox/unsent-list.tsx';
import { Toasts } from '../design/toasts.tsx';
import { appWords } from './app-words.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { SideMenu } from './side-menu/side-menu.tsx';
import { TabMenu } from './tab-menu.tsx';

/** The frame around every page but the login. */
export function Shell() {
  const words = appWords.use();
  const cache = useQueryClient();
  useEffect(() => followLists(cache), [cache]);
  const userId = useMe()?.userId;
  useEffect(() => (userId === undefined ? undefined : watchOutbox()), [userId]);
  // On a phone a session has the whole screen; its own header leads back.
  const sessionId = useRouterState({ select: ({ location }) => /^\/sessions\/([^/]+)/.exec(location.pathname)?.[1] });
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-panel focus:p-2"
      >
        {words.skip}
      </a>
      <SideMenu />
      <div className="flex min-w-0 flex-1 flex-col">
        <ConnectionBanner />
        <RefusedElsewhere sessionId={sessionId} />
        <main id="content" tabIndex={-1} className="min-h-0 flex-1 outline-none">
          <Outlet />
        </main>
        {sessionId === undefined && <TabMenu />}
      </div>
      <Overlays />
      <Toasts />
    </div>
  );
}
