import * as Radix from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useCommonWords } from '../words/common-words.ts';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** One sentence under the title. */
  about?: ReactNode;
  size?: 'small' | 'usual' | 'wide' | 'full';
  children: ReactNode;
  /** Buttons, the next thing to do last. */
  actions?: ReactNode;
}

const WIDTHS = {
  small: 'sm:max-w-sm',
  usual: 'sm:max-w-lg',
  wide: 'sm:max-w-3xl',
  full: 'sm:w-max sm:min-w-96 sm:max-w-[94vw]',
};

/** Something to do or to decide before going on. A sheet from below on a phone. */
export function Dialog({ isOpen, onClose, title, about, size = 'usual', children, actions }: DialogProps) {
  const words = useCommonWords();
  const opener = useRef<Element>(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40 data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
        <Radix.Content
          className={classNames(
            'fixed z-40 flex max-h-[calc(92dvh-var(--covered))] w-full flex-col border-line bg-panel shadow-float outline-none data-[state=closed]:animate-rise-out data-[state=open]:animate-rise-in',
            'inset-x-0 bottom-(--covered) rounded-t-lg border-t sm:inset-auto sm:top-1/2 sm:left-1/2 sm:max-h-[86dvh] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:border',
            WIDTHS[size],
          )}
          // Not its first button, which would show its tooltip at once and take the first Escape for it.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            opener.current = document.activeElement;
            const content = event.currentTarget as HTMLElement;
            (content.querySelector<HTMLElement>('[data-first-focus]') ?? content).focus();
          }}
          // Nothing here is known to have opened it, so the focus would be lost.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
          }}
          {...(about === undefined && { 'aria-describedby': undefined })}
        >
          <header className="flex items-start gap-3 px-4 pt-3.5 pb-2">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {about !== undefined && <Radix.Description className="text-sm text-soft">{about}</Radix.Description>}
            </div>
            <Radix.Close asChild>
              <IconButton label={words.close} icon={<X size={16} aria-hidden />} />
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-2">{children}</div>
          {actions !== undefined && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{actions}</footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
