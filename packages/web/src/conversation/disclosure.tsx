import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { classNames } from '../design/class-names.ts';

interface DisclosureProps {
  isOpen: boolean;
  onToggle: () => void;
  /** What is always in sight: the button itself. */
  summary: ReactNode;
  children: ReactNode;
  /** What it is known by, to whoever looks for a place in it. */
  piece: string;
  className?: string | undefined;
  bodyClassName?: string | undefined;
}

/** One line that opens to more. What is folded away is not there at all. */
export function Disclosure({ isOpen, onToggle, summary, children, piece, className, bodyClassName }: DisclosureProps) {
  const id = useId();
  return (
    <div data-piece={piece} className={className}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
        className="flex min-h-row w-full min-w-0 items-center gap-2 rounded-md px-2 py-1 text-left text-sm text-soft hover:bg-hover"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        {summary}
      </button>
      {isOpen && (
        <div id={id} className={bodyClassName}>
          {children}
        </div>
      )}
    </div>
  );
}
