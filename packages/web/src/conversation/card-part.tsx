import { type ReactNode, useId } from 'react';

/** A part of a card under its name. */
export function CardPart({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="min-w-0">
      <div className="flex min-h-6 items-center justify-between">
        <p id={id} className="text-2xs font-medium text-faint">
          {title}
        </p>
        {actions}
      </div>
      {children}
    </div>
  );
}
