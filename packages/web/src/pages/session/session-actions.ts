import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type InputOf, putAnswer, useAction } from '../../api/calls.ts';
import { sayError } from '../../design/toasts.tsx';
import { download } from '../../api/download.ts';

/** What can be done with a session as a whole; what goes wrong is said in the corner. */
export interface SessionActions {
  update: (change: Omit<InputOf<'updateSession'>, 'sessionId'>) => void;
  stop: () => void;
  /** The turn that was told to stop; it may take a moment until it has. */
  stoppedTurnId: string | undefined;
  fork: (beforeMessageId?: string) => void;
  exportAs: (format: 'markdown' | 'json') => void;
  closeAgent: () => void;
  remove: () => void;
  isRemoving: boolean;
}

/** The actions of the menu, of commands in the composer and of keys. */
export function useSessionActions(sessionId: string): SessionActions {
  const navigate = useNavigate();
  const update = useAction('updateSession', {
    onDone: (session, _input, cache) => putAnswer(cache, 'getSession', { sessionId }, session),
  });
  const stop = useAction('cancelTurn');
  const fork = useAction('forkSession', {
    onDone: ({ id }) => void navigate({ to: '/sessions/$sessionId', params: { sessionId: id } }),
  });
  const exporting = useAction('exportSession', {
    onDone: (file, { format }) => download(file, format === 'json' ? 'session.json' : 'session.md'),
  });
  const close = useAction('closeSession');
  const remove = useAction('removeSession', {
    changes: ['listSessions'],
    // Back leads to where one was before, not to what is gone.
    onDone: () => void navigate({ to: '/sessions', replace: true }),
  });
  // Each of these is the same function for ever, so whoever is given the actions is not drawn anew with every event.
  const [updating, stopping, forking, saving] = [update.mutate, stop.mutate, fork.mutate, exporting.mutate];
  const [closing, removing] = [close.mutate, remove.mutate];
  const onError = sayError;
  return useMemo(
    () => ({
      update: (change) => updating({ sessionId, ...change }, { onError }),
      stop: () => stopping({ sessionId }, { onError }),
      stoppedTurnId: stop.data?.turnId,
      fork: (beforeMessageId) =>
        forking({ sessionId, ...(beforeMessageId !== undefined && { beforeMessageId }) }, { onError }),
      exportAs: (format) => saving({ sessionId, format }, { onError }),
      closeAgent: () => closing({ sessionId }, { onError }),
      remove: () => removing({ sessionId }, { onError }),
      isRemoving: remove.isPending,
    }),
    [sessionId, updating, stopping, forking, saving, closing, removing, stop.data?.turnId, remove.isPending, onError],
  );
}
