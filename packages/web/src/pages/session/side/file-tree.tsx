import { ChevronRight, FileText, Folder } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { classNames } from '../../../design/class-names.ts';
import { Failure } from '../../../design/failure.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { useFormats } from '../../../words/formats.ts';
import { moveInList } from './move-in-list.ts';
import { sideWords } from './side-words.ts';

interface FileTreeProps {
  sessionId: string;
  onOpen: (path: string) => void;
}

/** The folder of a session; each folder in it is asked for when it is opened. */
export function FileTree(props: FileTreeProps) {
  return (
    <div role="presentation" onKeyDown={moveInList}>
      <Entries {...props} path={undefined} depth={0} />
    </div>
  );
}

function Entries({ sessionId, onOpen, path, depth }: FileTreeProps & { path: string | undefined; depth: number }) {
  const words = sideWords.use();
  const formats = useFormats();
  const { data, error, refetch } = useCall('listFiles', { sessionId, ...(path !== undefined && { path }) });
  if (error !== null)
    return (
      <div className="px-3 py-1">
        <Failure error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (data === undefined) return <SkeletonRows rows={depth === 0 ? 8 : 2} height="h-5" />;
  if (data.entries.length === 0)
    return (
      <p className="py-1 pr-3 text-xs text-faint" style={{ paddingLeft: indent(depth) }}>
        {words.emptyFolder}
      </p>
    );
  return (
    <>
      <ul>
        {data.entries.map((entry) =>
          entry.kind === 'folder' ? (
            <FolderRow key={entry.path} sessionId={sessionId} onOpen={onOpen} entry={entry} depth={depth} />
          ) : (
            <li key={entry.path}>
              <button
                type="button"
                onClick={() => onOpen(entry.path)}
                title={visibleText(entry.path)}
                style={{ paddingLeft: indent(depth) + 16 }}
                className={ROW}
              >
                <FileText size={14} aria-hidden className="shrink-0 text-faint" />
                <span className="contained min-w-0 flex-1 truncate">{visibleText(entry.name)}</span>
                {entry.size !== undefined && (
                  <span className="shrink-0 text-2xs text-faint tabular-nums">{formats.bytes(entry.size)}</span>
                )}
              </button>
            </li>
          ),
        )}
      </ul>
      {data.isCut && <p className="px-3 py-1.5 text-xs text-faint">{words.cutFolder}</p>}
    </>
  );
}

const ROW =
  'flex w-full items-center gap-1.5 py-0.5 pr-3 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2';

function indent(depth: number): number {
  return 12 + Math.min(depth, 12) * 14;
}

interface FolderRowProps extends FileTreeProps {
  entry: { name: string; path: string };
  depth: number;
}

function FolderRow({ sessionId, onOpen, entry, depth }: FolderRowProps) {
  const [isOpen, setOpen] = useState(false);
  const press = (event: KeyboardEvent) => {
    if (event.key !== (isOpen ? 'ArrowLeft' : 'ArrowRight')) return;
    event.preventDefault();
    setOpen(!isOpen);
  };
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={press}
        title={visibleText(entry.path)}
        style={{ paddingLeft: indent(depth) }}
        className={ROW}
      >
        <ChevronRight
          size={12}
          aria-hidden
          className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <Folder size={14} aria-hidden className="shrink-0 text-accent" />
        <span className="contained min-w-0 truncate">{visibleText(entry.name)}</span>
      </button>
      {isOpen && <Entries sessionId={sessionId} onOpen={onOpen} path={entry.path} depth={depth + 1} />}
    </li>
  );
}
