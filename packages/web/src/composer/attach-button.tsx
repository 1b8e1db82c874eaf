import type { BackendCapabilities } from '@dragoman/protocol';
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../design/icon-button.tsx';
import { composerWords } from './composer-words.ts';
import { takesNothing } from './read-attachment.ts';

interface AttachButtonProps {
  capabilities: BackendCapabilities;
  onFiles: (files: File[]) => void;
}

/** Attaches files, or images where the agent takes nothing else; absent where it takes neither. */
export function AttachButton({ capabilities, onFiles }: AttachButtonProps) {
  const words = composerWords.use();
  const input = useRef<HTMLInputElement>(null);
  const isImagesOnly = capabilities.files !== true;
  if (takesNothing(capabilities)) return null;
  const label = isImagesOnly ? words.attachImages : words.attach;
  return (
    <>
      <IconButton label={label} icon={<Paperclip size={16} aria-hidden />} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(isImagesOnly && { accept: 'image/png,image/jpeg,image/gif,image/webp' })}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = ''; // The same file can be chosen again.
        }}
      />
    </>
  );
}
