import { useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useMedia, WIDE } from '../../../design/use-media.ts';
import { useStored } from '../../../design/use-stored.ts';

declare module '@tanstack/history' {
  interface HistoryState {
    isSideOpen?: boolean;
  }
}

/** What the panel beside a session can show. */
type SideTab = 'files' | 'changes';

/** The file that is looked at. */
export interface OpenFile {
  path: string;
  line: number | undefined;
}

/** How the panel beside a session stands. */
export interface SideState {
  /** Absent while it is closed. */
  tab: SideTab | undefined;
  isWide: boolean;
  file: OpenFile | undefined;
  toggle: () => void;
  show: (tab: SideTab) => void;
  close: () => void;
  openFile: (path: string, line: number | undefined) => void;
  closeFile: () => void;
}

/**
 * Opens and closes the panel. Beside the conversation it stays as it was left; over it, on a phone, it begins closed, and is an entry of
 * the browser's history, so that Back closes it.
 */
export function useSide(): SideState {
  const isWide = useMedia(WIDE);
  const [stored, setStored] = useStored('session-side', (text) => (text === 'files' || text === 'changes' ? text : ''));
  const [lastTab, setLastTab] = useState<SideTab>(stored === '' ? 'changes' : stored);
  const router = useRouter();
  const isOver = useRouterState({ select: ({ location }) => location.state.isSideOpen === true });
  const [file, setFile] = useState<OpenFile>();
  const isOpen = isWide ? stored !== '' : isOver;
  const show = useCallback(
    (tab: SideTab) => {
      setLastTab(tab);
      if (isWide) setStored(tab);
      else if (!isOver)
        void router.navigate({ to: '.', search: true, state: (before) => ({ ...before, isSideOpen: true }) });
    },
    [isWide, isOver, setStored, router],
  );
  // Each is the same until the panel stands otherwise: who is given them is not drawn again with every event.
  return useMemo(() => {
    const close = () => {
      if (isWide) setStored('');
      else if (isOver) router.history.back();
    };
    return {
      tab: isOpen ? lastTab : undefined,
      isWide,
      file,
      show,
      close,
      toggle: () => (isOpen ? close() : show(lastTab)),
      openFile(path, line) {
        setFile({ path, line });
        show('files');
      },
      closeFile: () => setFile(undefined),
    };
  }, [isWide, isOver, isOpen, lastTab, file, show, setStored, router]);
}
