import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** As long as phones take it for more than a tap, and as far as a finger may slip meanwhile. */
const LONG_MS = 450;
const SLIP_PX = 10;

/** What an element is given to hear when a finger rests on it. The tap that ends it does nothing, and no menu of the browser opens. */
export interface LongPress {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onClickCapture: (event: MouseEvent) => void;
  onContextMenu: (event: MouseEvent) => void;
}

export function useLongPress(onPress: (() => void) | undefined): LongPress {
  const press = useRef({ timer: 0, x: 0, y: 0, isFinger: false, isLong: false });
  useEffect(() => {
    const held = press.current;
    return () => clearTimeout(held.timer);
  }, []);
  const leave = () => clearTimeout(press.current.timer);
  return {
    onPointerDown({ pointerType, clientX: x, clientY: y }) {
      leave();
      const held = { timer: 0, x, y, isFinger: pointerType === 'touch', isLong: false };
      press.current = held;
      if (!held.isFinger || onPress === undefined) return;
      held.timer = window.setTimeout(() => {
        held.isLong = true;
        onPress();
      }, LONG_MS);
    },
    onPointerMove({ clientX, clientY }) {
      if (Math.hypot(clientX - press.current.x, clientY - press.current.y) > SLIP_PX) leave();
    },
    onPointerUp: leave,
    onPointerCancel: leave,
    onClickCapture(event) {
      if (!press.current.isLong) return;
      press.current.isLong = false;
      event.preventDefault();
      event.stopPropagation();
    },
    onContextMenu(event) {
      if (press.current.isFinger && onPress !== undefined) event.preventDefault();
    },
  };
}
