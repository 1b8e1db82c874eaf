import { rowsOf, type SessionView } from '@dragoman/protocol';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ConversationContext } from './conversation/conversation-context.ts';
import { OpenState, OpenStateContext } from './conversation/open-state.ts';
import { RowView } from './conversation/row-view.tsx';

/** Something of the console as a browser would get it. */
export function render(shown: ReactNode): string {
  return renderToStaticMarkup(<QueryClientProvider client={new QueryClient()}>{shown}</QueryClientProvider>);
}

/** All rows of a session, folded as usual or all out. */
export function renderSession(
  view: SessionView,
  { isAllOpen = false, onTryAgain }: { isAllOpen?: boolean; onTryAgain?: () => void } = {},
): string {
  const within = {
    sessionId: view.info.id,
    mayAct: true,
    isLive: true,
    onRevert: undefined,
    onFork: undefined,
    onTryAgain,
    lastTurnId: view.turn?.id,
    canResume: view.capabilities.resume === true,
  };
  return render(
    <ConversationContext value={within}>
      <OpenStateContext value={new OpenState({ isAllOpen })}>
        {rowsOf(view).map((row) => (
          <RowView key={row.key} row={row} />
        ))}
      </OpenStateContext>
    </ConversationContext>,
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** What can be read of it: the texts between tags, each on a line. Moments are left out: they depend on the day. */
export function linesOf(html: string): string[] {
  return html
    .replaceAll(/<time[^>]*>[^<]*<\/time>/g, '')
    .replaceAll(/<(?:span|strong|em|code|del)(?: class="(?!block)[^"]*")?>|<\/(?:strong|em|code|del)>/g, (tag) =>
      tag.includes('sr-only') ? tag : '',
    )
    .split(/<[^>]*>/)
    .map((line) => line.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_all, name: string) => ENTITIES[name]!).trim())
    .filter((line) => line !== '');
}
