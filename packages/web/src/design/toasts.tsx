import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useCommonWords } from '../words/common-words.ts';
import { buttonClasses } from './button.tsx';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  next: NextStep | undefined;
  isLeaving: boolean;
}

/** What somebody may want to do now. */
interface NextStep {
  label: string;
  to: '/new';
}

/** As long as it takes to read it, and to decide. */
const SHOWN_MS = 4000;
const OFFERED_MS = 12_000;
/** As its animation takes. */
const LEAVES_MS = 120;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function put(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says in a corner that something was done, or was not. What went wrong stays until it is closed. */
export function say(text: string, tone: 'good' | 'bad' = 'good', next?: NextStep): void {
  const id = ++lastId;
  put([...toasts.slice(-3), { id, tone, text, next, isLeaving: false }]);
  if (tone === 'good') setTimeout(() => close(id), next === undefined ? SHOWN_MS : OFFERED_MS);
}

function close(id: number): void {
  put(toasts.map((one) => (one.id === id ? { ...one, isLeaving: true } : one)));
  setTimeout(() => put(toasts.filter((one) => one.id !== id)), LEAVES_MS);
}

/** For actions whose failure has no place of its own. */
export function sayError(error: Error): void {
  say(error.message, 'bad');
}

/** Where those words appear. */
export function Toasts() {
  const words = useCommonWords();
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-16 z-50 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 max-md:top-[calc(env(safe-area-inset-top)+3.5rem)] max-md:bottom-auto"
    >
      {shown.map(({ id, tone, text, next, isLeaving }) => (
        <div
          key={id}
          role={tone === 'bad' ? 'alert' : undefined}
          className={classNames(
            'pointer-events-auto flex items-center gap-2 rounded-lg border border-line bg-panel py-2 pr-1 pl-3 text-sm shadow-float',
            isLeaving ? 'animate-rise-out' : 'animate-rise-in',
          )}
        >
          {tone === 'good' ? (
            <CircleCheck size={16} aria-hidden className="shrink-0 text-good" />
          ) : (
            <CircleAlert size={16} aria-hidden className="shrink-0 text-bad" />
          )}
          <p className="contained flex-1">{text}</p>
          {next !== undefined && (
            <Link to={next.to} className={buttonClasses('primary', 'small')} onClick={() => close(id)}>
              {next.label}
            </Link>
          )}
          <IconButton label={words.close} icon={<X size={14} aria-hidden />} onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
