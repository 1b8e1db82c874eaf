import * as Radix from '@radix-ui/react-tooltip';
import type { ReactElement, ReactNode } from 'react';

/** A few words about what the pointer is on; never the only place where something is said. */
export function Tooltip({
  words,
  side = 'top',
  children,
}: {
  words: ReactNode;
  side?: 'top' | 'right';
  children: ReactElement;
}) {
  return (
    <Radix.Root delayDuration={400}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 data-[state=closed]:animate-fade-out data-[state=delayed-open]:animate-fade-in max-w-72 rounded-md bg-ink px-2 py-1 text-xs text-panel shadow-float"
        >
          {words}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
