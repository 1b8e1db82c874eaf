import { type DragEvent, type ReactNode, useState } from 'react';
import { composerWords } from './composer-words.ts';

interface DropAreaProps {
  isOff: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

/** The column of a session: files that are dropped anywhere in it are attached to the prompt. */
export function DropArea({ isOff, onFiles, children }: DropAreaProps) {
  const words = composerWords.use();
  const [isOver, setOver] = useState(false);
  const carriesFiles = (event: DragEvent) => !isOff && event.dataTransfer.types.includes('Files');
  return (
    <div
      role="presentation"
      className="relative flex min-w-0 flex-1 flex-col"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-30 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-wash/90 text-lg font-medium text-accent-strong">
          {words.dropHere}
        </div>
      )}
    </div>
  );
}
