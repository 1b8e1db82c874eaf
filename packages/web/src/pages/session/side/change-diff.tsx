import { X } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { Failure } from '../../../design/failure.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { type DiffSide, DiffView } from '../../../diff/diff-view.tsx';
import type { ChangedFile } from './changed-file-row.tsx';
import { CommentBox } from './comment-box.tsx';
import { sideWords } from './side-words.ts';
import type { ReviewState } from './use-review.ts';

interface ChangeDiffProps {
  sessionId: string;
  file: ChangedFile;
  mode: 'inline' | 'split';
  mayAct: boolean;
  review: ReviewState;
}

/** A line that is commented on. */
interface LinePlace {
  line: number;
  side: DiffSide;
  quoted: string;
}

/** How one file changed, with what was said about its lines. */
export function ChangeDiff({ sessionId, file, mode, mayAct, review }: ChangeDiffProps) {
  const words = sideWords.use();
  const { path } = file;
  const hasBoth = file.staged !== undefined && file.unstaged !== undefined;
  const [chosen, setChosen] = useState<'unstaged' | 'staged'>('unstaged');
  const part = hasBoth ? chosen : file.unstaged === undefined ? 'staged' : 'unstaged';
  const [place, setPlace] = useState<LinePlace>();
  const { data, error, refetch } = useCall(
    'readDiff',
    { sessionId, path, staged: part === 'staged' },
    { keepsPrevious: true },
  );
  const comments = review.comments.filter((comment) => comment.path === path);
  const below = (line: number, side: DiffSide) => {
    const isHere = (one: { line: number; side: DiffSide }) => one.line === line && one.side === side;
    const said = comments.filter(isHere);
    const isAsked = place !== undefined && isHere(place);
    if (said.length === 0 && !isAsked) return undefined;
    return (
      <div className="space-y-1.5 p-2 font-sans whitespace-normal">
        {said.map((comment) => (
          <CommentCard key={comment.id} text={comment.text} onRemove={() => review.remove(comment.id)} />
        ))}
        {isAsked && (
          <CommentBox
            line={place.line}
            onCancel={() => setPlace(undefined)}
            onAdd={(text) => {
              review.add({ path, ...place, text });
              setPlace(undefined);
            }}
          />
        )}
      </div>
    );
  };
  return (
    <div className="border-t border-line bg-ground p-2">
      {hasBoth && (
        <div className="mb-2">
          <Segmented
            label={words.diffPart}
            value={part}
            onChange={setChosen}
            options={[
              { value: 'unstaged', label: words.diffParts.unstaged },
              { value: 'staged', label: words.diffParts.staged },
            ]}
          />
        </div>
      )}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton className="h-24" />}
      {data !== undefined && (
        <>
          {data.isCut && (
            <div className="mb-2">
              <Notice>{words.cutDiff}</Notice>
            </div>
          )}
          {data.unified.trim() === '' ? (
            <p className="p-1 text-xs text-faint">{words.emptyDiff}</p>
          ) : (
            <DiffView
              diff={data}
              mode={mode}
              isBare
              onComment={mayAct ? (line, side, quoted) => setPlace({ line, side, quoted }) : undefined}
              below={below}
            />
          )}
        </>
      )}
    </div>
  );
}

function CommentCard({ text, onRemove }: { text: string; onRemove: () => void }) {
  const words = sideWords.use();
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-panel py-1 pr-1 pl-2.5">
      <p className="contained flex-1 text-sm whitespace-pre-wrap">{text}</p>
      <IconButton label={words.removeComment} icon={<X size={13} aria-hidden />} onClick={onRemove} />
    </div>
  );
}
