import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useMayAct } from '../api/me.ts';
import { isTyping } from '../design/is-typing.ts';
import { isCommandKey } from './command-key.ts';
import { openOverlay, useOverlay } from './overlay.ts';

/** The keys of every page. Whoever writes, or has something else open, keeps all but the one for the commands. */
export function useAppKeys(): void {
  const navigate = useNavigate();
  const mayAct = useMayAct();
  const overlay = useOverlay();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (isCommandKey(event)) {
      event.preventDefault();
      // What else is open must be settled first.
      if (overlay !== undefined || document.querySelector('[role="dialog"][data-state="open"]') === null)
        openOverlay(overlay === 'commands' ? undefined : 'commands');
      return;
    }
    if (isTyping(event)) return;
    if (event.key === '?') openOverlay('keys');
    else if (event.key === 'n' && mayAct) void navigate({ to: '/new' });
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
