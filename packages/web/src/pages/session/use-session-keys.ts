import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** What the keys of a session do. */
export interface SessionKeys {
  onFind: () => void;
  onLastPrompt: () => void;
  onEnd: () => void;
  onAllow: () => void;
  onDeny: () => void;
  /** Absent where nothing runs that could be stopped. */
  onStop: (() => void) | undefined;
}

/** How long the first Escape counts. */
const ARMED_MS = 2000;

/** The keys of a session, wherever the focus is. Tells whether one more Escape stops the turn. */
export function useSessionKeys(keys: SessionKeys): boolean {
  const [isArmed, setArmed] = useState(false);
  const timer = useRef<number>(undefined);
  const disarm = () => {
    clearTimeout(timer.current);
    setArmed(false);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isElsewhere(event)) return;
    const action = actionOf(event);
    if (action === undefined) return;
    if (action === 'escape') {
      if (keys.onStop === undefined) return;
      if (isArmed) {
        disarm();
        keys.onStop();
        return;
      }
      setArmed(true);
      timer.current = window.setTimeout(() => setArmed(false), ARMED_MS);
      return;
    }
    event.preventDefault();
    keys[action]();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => {
      window.removeEventListener('keydown', listener);
      clearTimeout(timer.current);
    };
  }, []);
  return isArmed && keys.onStop !== undefined;
}

/** A dialog, a menu or a popover has the keys for itself. */
function isElsewhere({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null;
}

function actionOf(event: KeyboardEvent): Exclude<keyof SessionKeys, 'onStop'> | 'escape' | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
  const isCommand = (ctrlKey || metaKey) && !altKey && !shiftKey;
  const isWriting = target instanceof Element && target.closest('input, textarea, select') !== null;
  if (key === 'Escape') return 'escape';
  if (isCommand && key.toLowerCase() === 'f') return 'onFind';
  if (isCommand && key === 'ArrowUp') return 'onLastPrompt';
  const isFree = !isWriting || isEmptyPrompt(target);
  if (isCommand && key === 'Enter' && isFree) return 'onAllow';
  if (isCommand && key === 'Backspace' && isFree) return 'onDeny';
  if (isWriting || isCommand || altKey) return undefined;
  return LETTERS[key];
}

const LETTERS: Readonly<Record<string, 'onEnd' | 'onAllow' | 'onDeny'>> = {
  End: 'onEnd',
  a: 'onAllow',
  d: 'onDeny',
};

function isEmptyPrompt(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement && target.value === '' && target.closest('[role="log"]') === null;
}
