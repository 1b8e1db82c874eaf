import type { ReactNode } from 'react';
import { useCommonWords } from '../words/common-words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: string;
  /** What will be gone, and what will not. */
  children: ReactNode;
  /** The verb: "Delete the session". */
  confirm: string;
  isBusy?: boolean;
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, onClose, onConfirm, title, children, confirm, isBusy = false }: ConfirmProps) {
  const words = useCommonWords();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      size="small"
      actions={
        <>
          <Button data-first-focus onClick={onClose}>
            {words.cancel}
          </Button>
          <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      <div className="text-sm text-soft">{children}</div>
    </Dialog>
  );
}
