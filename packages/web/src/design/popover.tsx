import * as Radix from '@radix-ui/react-popover';
import { type ReactElement, type ReactNode, useState } from 'react';
import { classNames } from './class-names.ts';
import { TOUCH } from './use-media.ts';

interface PopoverProps {
  trigger: ReactElement;
  label: string;
  align?: 'start' | 'end';
  size?: 'usual' | 'wide';
  /** What is in it is given the way to close it. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

const WIDTHS = { usual: 'w-72', wide: 'w-96' };

/** A small panel that belongs to what opens it. */
export function Popover({ trigger, label, align = 'end', size = 'usual', children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Radix.Root open={isOpen} onOpenChange={setOpen}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // Where a keyboard would come up and cover it, nobody asked for one yet.
          onOpenAutoFocus={(event) => {
            if (!matchMedia(TOUCH).matches) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className={classNames(
            'z-50 origin-(--radix-popover-content-transform-origin) data-[state=closed]:animate-grow-out data-[state=open]:animate-grow-in max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-line bg-panel p-3 text-sm shadow-float outline-none',
            WIDTHS[size],
          )}
        >
          {typeof children === 'function' ? children(() => setOpen(false)) : children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
