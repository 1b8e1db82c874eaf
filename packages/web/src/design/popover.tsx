import * as Radix from '@radix-ui/react-popover';
import type { ReactElement, ReactNode } from 'react';

/** A small panel that belongs to what opens it. */
export function Popover({ trigger, label, children }: { trigger: ReactElement; label: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 w-72 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-panel p-3 text-sm shadow-float outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
