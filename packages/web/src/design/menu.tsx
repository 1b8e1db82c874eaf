import * as Radix from '@radix-ui/react-dropdown-menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A list of things to do, opened by what is around it. */
export function Menu({
  trigger,
  align = 'end',
  children,
}: {
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // Something that was chosen is written into already.
            if (document.activeElement instanceof HTMLInputElement) event.preventDefault();
          }}
          className="z-50 origin-(--radix-dropdown-menu-content-transform-origin) data-[state=closed]:animate-grow-out data-[state=open]:animate-grow-in max-h-[min(26rem,80dvh)] min-w-44 overflow-y-auto rounded-lg border border-line bg-panel p-1 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  onChoose: () => void;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** Of a choice among several: whether it is the one. */
  isChosen?: boolean;
  children: ReactNode;
  about?: ReactNode;
}

/** One thing to do. */
export function MenuItem({ icon, onChoose, isDanger, isDisabled, isChosen, children, about }: MenuItemProps) {
  return (
    <Radix.Item
      disabled={isDisabled ?? false}
      onSelect={(event) => {
        focusOpener(event.target as HTMLElement);
        onChoose();
      }}
      aria-checked={isChosen}
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      className={classNames(
        'flex items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover',
        isDanger === true ? 'text-bad' : 'text-ink',
      )}
    >
      {icon !== undefined && <span className="flex text-faint">{icon}</span>}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {about !== undefined && <span className="block truncate text-xs text-faint">{about}</span>}
      </span>
      {isChosen === true && <Check size={14} aria-hidden className="text-accent" />}
    </Radix.Item>
  );
}

/** What is chosen may open a dialog, which gives the focus back to where it was: by then the menu is gone. */
function focusOpener(item: HTMLElement): void {
  const opener = item.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  if (opener) document.getElementById(opener)?.focus();
}

/** Parts of a menu. */
export function MenuLine() {
  return <Radix.Separator className="mx-1 my-1 h-px bg-line" />;
}

/** What the items below have in common. */
export function MenuTitle({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-xs text-faint">{children}</Radix.Label>;
}
