import { FileText, X } from 'lucide-react';
import { useFormats } from '../words/formats.ts';
import { composerWords } from './composer-words.ts';
import type { Attachment } from './read-attachment.ts';

/** What goes along with the prompt, each to be seen and taken out again. */
export function AttachmentList({ items, onRemove }: { items: readonly Attachment[]; onRemove: (id: number) => void }) {
  const words = composerWords.use();
  const formats = useFormats();
  return (
    <ul aria-label={words.attached} className="flex flex-wrap gap-2 px-2.5 pt-2">
      {items.map(({ id, name, size, previewUrl }) => (
        <li
          key={id}
          title={name}
          className="flex max-w-56 items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-1.5 text-xs"
        >
          {previewUrl === undefined ? (
            <FileText size={16} aria-hidden className="shrink-0 text-faint" />
          ) : (
            <img src={previewUrl} alt="" className="size-8 shrink-0 rounded-sm object-cover" />
          )}
          <span className="contained min-w-0 flex-1">
            <span className="block truncate">{name}</span>
            <span className="block text-2xs text-faint">{formats.bytes(size)}</span>
          </span>
          <button
            type="button"
            aria-label={words.removeAttachment(name)}
            onClick={() => onRemove(id)}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink"
          >
            <X size={13} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  );
}
