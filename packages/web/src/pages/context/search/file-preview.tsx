import type { RankedPlace } from '@dragoman/protocol/console';
import { useEffect, useMemo, useRef } from 'react';
import { useCall } from '../../../api/calls.ts';
import { Code } from '../../../code/code-block.tsx';
import { languageOf } from '../../../code/grammars.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { useFormats } from '../../../words/formats.ts';
import { previewLines } from './preview-lines.ts';
import { searchWords } from './search-words.ts';

interface FilePreviewProps {
  workspaceId: string;
  place: RankedPlace;
  onClose: () => void;
}

/** A file, opened at the lines that answer. */
export function FilePreview({ workspaceId, place, onClose }: FilePreviewProps) {
  const words = searchWords.use();
  const { path, startLine, endLine } = place;
  const file = useCall('readCode', { workspaceId, path });
  return (
    <Dialog isOpen onClose={onClose} size="wide" title={path} about={words.lines(startLine, endLine)}>
      {file.error !== null && <Failure error={file.error} onRetry={() => void file.refetch()} />}
      {file.isPending && <Skeleton className="h-96" />}
      {file.data !== undefined && (
        <>
          {file.data.isCut && <p className="mb-2 text-xs text-warn">{words.cutFile}</p>}
          <Lines text={file.data.text} place={place} />
        </>
      )}
    </Dialog>
  );
}

function Lines({ text, place: { path, startLine, endLine } }: { text: string; place: RankedPlace }) {
  const words = searchWords.use();
  const formats = useFormats();
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => previewLines(text, startLine), [text, startLine]);
  useEffect(() => {
    box.current?.querySelector(`[data-line="${startLine}"]`)?.scrollIntoView({ block: 'center' });
  }, [startLine, shown]);
  return (
    <div ref={box} className="pb-2">
      {!shown.isWhole && (
        <p className="mb-2 text-xs text-faint">
          {words.around(formats.count(shown.startLine), formats.count(shown.endLine))}
        </p>
      )}
      <Code
        text={shown.text}
        language={languageOf(path)}
        startLine={shown.startLine}
        marked={[startLine, endLine]}
        isBare
      />
    </div>
  );
}
