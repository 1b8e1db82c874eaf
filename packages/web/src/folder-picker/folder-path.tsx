import { ChevronRight } from 'lucide-react';
import { Button } from '../design/button.tsx';
import { crumbsOf } from './path-parts.ts';
import { folderWords } from './folder-words.ts';

interface FolderPathProps {
  path: string;
  /** It is the one that is chosen. */
  isChosen: boolean;
  onOpen: (path: string) => void;
}

/** Where somebody is, as a way back to every folder above. */
export function FolderPath({ path, isChosen, onOpen }: FolderPathProps) {
  const words = folderWords.use();
  const crumbs = crumbsOf(path);
  return (
    <nav aria-label={words.where} className="flex items-start gap-2 border-b border-line px-2 py-1">
      <ol className="flex min-h-7 min-w-0 flex-1 flex-wrap items-center gap-y-0.5 text-xs">
        {crumbs.length === 0 && <li className="px-1 text-faint">{words.start}</li>}
        {crumbs.map((crumb, index) => (
          <li key={crumb.path} className="flex min-w-0 items-center">
            {index > 1 && <ChevronRight size={12} aria-hidden className="shrink-0 text-faint" />}
            <button
              type="button"
              aria-current={index === crumbs.length - 1 ? 'location' : undefined}
              onClick={() => onOpen(crumb.path)}
              className="contained max-w-48 truncate rounded-sm px-1 py-0.5 text-soft hover:bg-hover hover:text-ink aria-[current=location]:font-medium aria-[current=location]:text-ink"
            >
              {crumb.name}
            </button>
          </li>
        ))}
      </ol>
      {!isChosen && path !== '' && (
        <Button size="small" onClick={() => onOpen(path)}>
          {words.useThis}
        </Button>
      )}
    </nav>
  );
}
