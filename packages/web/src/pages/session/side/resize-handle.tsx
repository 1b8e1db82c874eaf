import { useRef } from 'react';
import { sideWords } from './side-words.ts';

const LEAST = 380;
const MOST = 720;
const STEP = 24;

/** A width the panel may have. */
export function clampWidth(width: number): number {
  return Number.isFinite(width) ? Math.round(Math.min(MOST, Math.max(LEAST, width))) : LEAST;
}

interface ResizeHandleProps {
  width: number;
  onResize: (width: number) => void;
  onDone: (width: number) => void;
}

/** The edge between the conversation and the panel, to be dragged, or moved with the arrow keys. */
export function ResizeHandle({ width, onResize, onDone }: ResizeHandleProps) {
  const words = sideWords.use();
  const from = useRef<{ x: number; width: number }>(undefined);
  const at = (x: number) => clampWidth((from.current?.width ?? width) + (from.current?.x ?? x) - x);
  return (
    <div
      role="slider"
      aria-orientation="horizontal"
      aria-label={words.resize}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width };
      }}
      onPointerMove={({ clientX }) => from.current !== undefined && onResize(at(clientX))}
      onPointerUp={({ clientX }) => {
        if (from.current === undefined) return;
        onDone(at(clientX));
        from.current = undefined;
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowLeft' ? STEP : event.key === 'ArrowRight' ? -STEP : 0;
        if (step === 0) return;
        event.preventDefault();
        onDone(clampWidth(width + step));
      }}
      className="-mx-1 w-2 shrink-0 cursor-col-resize touch-none hover:bg-accent/30 focus-visible:bg-accent/40"
    />
  );
}
