import { useFormats } from '../words/formats.ts';
import { diffWords } from './diff-words.ts';

/** How many lines came and went. */
export function DiffCounts({ added, removed }: { added: number; removed: number }) {
  const words = diffWords.use();
  const formats = useFormats();
  return (
    <span className="inline-flex shrink-0 gap-1.5 font-mono text-2xs">
      {added > 0 && (
        <span className="text-good">
          <span aria-hidden>{`+${formats.count(added)}`}</span>
          <span className="sr-only">{words.added(formats.count(added))}</span>
        </span>
      )}
      {removed > 0 && (
        <span className="text-bad">
          <span aria-hidden>{`−${formats.count(removed)}`}</span>
          <span className="sr-only">{words.removed(formats.count(removed))}</span>
        </span>
      )}
    </span>
  );
}
