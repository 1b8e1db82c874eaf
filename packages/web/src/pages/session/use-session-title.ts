import { useEffect } from 'react';
import type { ShownStatus } from '../../api/shown-status.ts';
import { visibleText } from '../../code/visible-text.ts';
import { useCommonWords } from '../../words/common-words.ts';

/** The session's name in the tab of the browser, with how it stands where that matters from afar. */
export function useSessionTitle(title: string | undefined, status: ShownStatus | undefined): void {
  const words = useCommonWords();
  const isLoud = status === 'waiting' || status === 'running' || status === 'failed' || status === 'interrupted';
  const whole = title === undefined ? words.product : `${visibleText(title)} · ${words.product}`;
  const shown = isLoud ? `${words.sessionStatus[status]} · ${whole}` : whole;
  useEffect(() => {
    document.title = shown;
  }, [shown]);
  useEffect(
    () => () => {
      document.title = words.product;
    },
    [words.product],
  );
}
