import { FileText } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { Failure } from '../../../design/failure.tsx';
import { TextField } from '../../../design/field.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { FileTree } from './file-tree.tsx';
import { FileView } from './file-view.tsx';
import { moveInList } from './move-in-list.ts';
import { sideWords } from './side-words.ts';
import type { OpenFile } from './use-side.ts';

interface FilesTabProps {
  sessionId: string;
  file: OpenFile | undefined;
  onOpen: (path: string, line: number | undefined) => void;
  onBack: () => void;
  onMention: ((path: string) => void) | undefined;
}

/** The files of a session's folder: as a tree, by a part of their path, and one of them opened. */
export function FilesTab({ sessionId, file, onOpen, onBack, onMention }: FilesTabProps) {
  const words = sideWords.use();
  const [query, setQuery] = useState('');
  const asked = useDeferredValue(query.trim());
  return (
    <>
      {file !== undefined && (
        <FileView key={file.path} sessionId={sessionId} file={file} onBack={onBack} onMention={onMention} />
      )}
      {/* What was opened in the tree stays open while a file is looked at. */}
      <div hidden={file !== undefined} className={file === undefined ? 'flex min-h-0 flex-1 flex-col' : ''}>
        <div className="shrink-0 px-3 py-2">
          <TextField
            label={words.filter}
            isLabelHidden
            type="search"
            placeholder={words.filterHint}
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto pb-3">
          {asked === '' ? (
            <FileTree sessionId={sessionId} onOpen={(path) => onOpen(path, undefined)} />
          ) : (
            <FoundFiles sessionId={sessionId} query={asked} onOpen={(path) => onOpen(path, undefined)} />
          )}
        </div>
      </div>
    </>
  );
}

interface FoundFilesProps {
  sessionId: string;
  query: string;
  onOpen: (path: string) => void;
}

function FoundFiles({ sessionId, query, onOpen }: FoundFilesProps) {
  const words = sideWords.use();
  const { data, error, refetch } = useCall('findFiles', { sessionId, q: query, limit: 50 }, { keepsPrevious: true });
  if (error !== null)
    return (
      <div className="px-3">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <SkeletonRows rows={6} height="h-5" />;
  if (data.files.length === 0)
    return (
      <p role="status" className="px-3 py-2 text-sm text-faint">
        {words.noFile}
      </p>
    );
  return (
    <div role="presentation" onKeyDown={moveInList}>
      <ul>
        {data.files.map(({ path }) => (
          <li key={path}>
            <button
              type="button"
              title={visibleText(path)}
              onClick={() => onOpen(path)}
              className="flex w-full items-center gap-2 px-3 py-1 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2"
            >
              <FileText size={14} aria-hidden className="shrink-0 text-faint" />
              <span className="contained min-w-0">{visibleText(path)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
