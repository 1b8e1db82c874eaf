import { useEffect, useEffectEvent, useState } from 'react';
import { useIsCrowded } from '../../design/crowding.ts';
import { useMedia } from '../../design/use-media.ts';
import { useStored } from '../../design/use-stored.ts';
import { isTyping } from '../../design/is-typing.ts';

/** There is no room for the menu, a page and what the page shows beside itself. */
const NARROW = '(max-width: 1279px)';

/** Whether the menu is folded: as it was left, and by itself where there is no room. */
export function useFold(): { isFolded: boolean; toggle: () => void } {
  const [stored, store] = useStored('menu', (text) => (text === 'folded' ? 'folded' : 'open'));
  const isCrowded = useIsCrowded();
  const isNarrow = useMedia(NARROW);
  const isTight = isCrowded && isNarrow;
  // Who unfolds it there wants to see it, until the room changes.
  const [isWanted, setWanted] = useState(false);
  const isFolded = stored === 'folded' || (isTight && !isWanted);
  const toggle = () => {
    if (isTight && stored === 'open') setWanted(isFolded);
    else store(isFolded ? 'open' : 'folded');
    if (isTight && stored === 'folded') setWanted(true);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== '[' || event.defaultPrevented || isTyping(event)) return;
    event.preventDefault();
    toggle();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
  return { isFolded, toggle };
}
