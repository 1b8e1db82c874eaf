import type { RefObject } from 'react';

/** Who only passes by does not want to know. */
const REST_MS = 400;
/** Time enough to move onto the words. */
const LEAVE_MS = 120;

interface Watched {
  /** Where the words are shown; whoever points at them still wants them. */
  bubble: RefObject<HTMLElement | null>;
  onChange: (anchor: HTMLElement | undefined) => void;
}

/** Tells what has words (`tooltip`) and is pointed at for a moment, or was reached by keyboard. Returns how to stop. */
export function watchPointed({ bubble, onChange }: Watched): () => void {
  let pointed: HTMLElement | undefined;
  let isShown = false;
  let timer: number | undefined;
  const show = (anchor: HTMLElement | undefined) => {
    clearTimeout(timer);
    isShown = anchor !== undefined;
    onChange(anchor);
  };
  const point = (anchor: HTMLElement | undefined) => {
    if (anchor === pointed) return;
    pointed = anchor;
    clearTimeout(timer);
    if (anchor !== undefined)
      timer = window.setTimeout(() => anchor.isConnected && show(anchor), isShown ? 0 : REST_MS);
    else if (isShown) timer = window.setTimeout(() => show(undefined), LEAVE_MS);
  };
  const hide = () => {
    clearTimeout(timer);
    if (isShown) show(undefined);
  };
  const over = ({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return;
    if (bubble.current?.contains(target as Node) === true) return clearTimeout(timer);
    point(ownerOf(target));
  };
  const focus = ({ target }: FocusEvent) => {
    const anchor = (target as Element).matches(':focus-visible') ? ownerOf(target) : undefined;
    if (anchor !== undefined) show(anchor);
  };
  const press = (event: KeyboardEvent) => {
    if (!isShown) return;
    hide();
    // The first Escape is for the words alone, and not for the dialog behind them.
    if (event.key === 'Escape') event.stopImmediatePropagation();
  };
  const asks = new AbortController();
  const on = { capture: true, passive: true, signal: asks.signal };
  document.addEventListener('pointerover', over, on);
  document.documentElement.addEventListener('pointerleave', () => point(undefined), { signal: asks.signal });
  document.addEventListener('focusin', focus, on);
  document.addEventListener('focusout', hide, on);
  document.addEventListener('pointerdown', hide, on);
  document.addEventListener('keydown', press, on);
  document.addEventListener('scroll', hide, on);
  return () => {
    asks.abort();
    clearTimeout(timer);
  };
}

function ownerOf(target: EventTarget | null): HTMLElement | undefined {
  return (target as Element | null)?.closest<HTMLElement>('[data-tooltip]') ?? undefined;
}
