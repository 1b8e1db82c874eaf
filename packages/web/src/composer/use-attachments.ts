import type { BackendCapabilities } from '@dragoman/protocol';
import { useEffect, useRef, useState } from 'react';
import { say } from '../design/toasts.tsx';
import { useFormats } from '../words/formats.ts';
import { composerWords } from './composer-words.ts';
import {
  type Attachment,
  MAX_BYTES,
  MAX_COUNT,
  MAX_TOTAL_BYTES,
  readAttachment,
  type Refusal,
  refusalOf,
} from './read-attachment.ts';

/** What goes along with the prompt that is being written. */
export interface Attachments {
  items: readonly Attachment[];
  /** Takes files from a button, the clipboard or a drop; those that cannot go are refused in words. */
  add: (files: readonly File[]) => Promise<void>;
  remove: (id: number) => void;
  clear: () => void;
}

/** Keeps what is attached. */
export function useAttachments(capabilities: BackendCapabilities): Attachments {
  const words = composerWords.use();
  const formats = useFormats();
  const [items, setItems] = useState<readonly Attachment[]>([]);
  const shown = useRef(items);
  useEffect(() => {
    for (const item of shown.current) if (!items.includes(item)) forget(item);
    shown.current = items;
  }, [items]);
  useEffect(() => () => shown.current.forEach(forget), []);

  const refuse = (refusal: Refusal, name: string) => {
    const texts: Record<Refusal, string> = {
      noImages: words.noImages,
      noFiles: words.noFiles,
      tooLarge: words.tooLarge(name, formats.bytes(MAX_BYTES)),
      tooMuch: words.tooMuch(formats.bytes(MAX_TOTAL_BYTES)),
      tooMany: words.tooMany(MAX_COUNT),
      empty: words.empty(name),
      unreadable: words.unreadable(name),
    };
    say(texts[refusal], 'bad');
  };

  return {
    items,
    async add(files) {
      const taken: { size: number }[] = [...items];
      for (const file of files) {
        const refusal = refusalOf(file, taken, capabilities);
        if (refusal !== undefined) {
          refuse(refusal, file.name);
          continue;
        }
        taken.push(file);
        try {
          const read = await readAttachment(file, capabilities);
          setItems((before) => [...before, read]);
        } catch {
          refuse('unreadable', file.name);
        }
      }
    },
    remove: (id) => setItems((before) => before.filter((one) => one.id !== id)),
    clear: () => setItems([]),
  };
}

function forget({ previewUrl }: Attachment): void {
  if (previewUrl !== undefined) URL.revokeObjectURL(previewUrl);
}
