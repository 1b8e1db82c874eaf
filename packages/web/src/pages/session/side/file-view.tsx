import { ArrowLeft, AtSign } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCall } from '../../../api/calls.ts';
import { Code } from '../../../code/code-block.tsx';
import { languageOf } from '../../../code/grammars.ts';
import { visibleText } from '../../../code/visible-text.ts';
import { CopyButton } from '../../../design/copy-button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { picturePath } from '../../../picture/picture-path.ts';
import { SessionPicture } from '../../../picture/session-picture.tsx';
import { useFormats } from '../../../words/formats.ts';
import { sideWords } from './side-words.ts';
import type { OpenFile } from './use-side.ts';

interface FileViewProps {
  sessionId: string;
  file: OpenFile;
  onBack: () => void;
  onMention: ((path: string) => void) | undefined;
}

/** One file of a session, as it is now. */
export function FileView({ sessionId, file, onBack, onMention }: FileViewProps) {
  const words = sideWords.use();
  const formats = useFormats();
  const { path, line } = file;
  const isPicture = picturePath(path) !== undefined;
  const { data, error, refetch } = useCall('readFile', { sessionId, path });
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (data?.text !== undefined && line !== undefined)
      body.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'center' });
  }, [data, line]);
  return (
    <section aria-label={visibleText(path)} className="flex min-h-0 flex-1 flex-col">
      <header className="flex shrink-0 items-center gap-1 border-b border-line px-2 py-1">
        <IconButton label={words.backToFiles} icon={<ArrowLeft size={15} aria-hidden />} onClick={onBack} />
        <h2
          className="contained min-w-0 flex-1 truncate text-left text-xs font-medium"
          title={visibleText(path)}
          dir="rtl"
        >
          <bdi>{visibleText(path)}</bdi>
        </h2>
        {data !== undefined && <span className="shrink-0 text-2xs text-faint">{formats.bytes(data.size)}</span>}
        {onMention !== undefined && (
          <IconButton label={words.mention} icon={<AtSign size={14} aria-hidden />} onClick={() => onMention(path)} />
        )}
        <CopyButton text={path} label={words.copyPath} />
      </header>
      <div ref={body} className="min-h-0 flex-1 overflow-auto p-2">
        {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {error === null && data === undefined && <Skeleton className="h-64" />}
        {data !== undefined && (
          <>
            {data.isCut && (
              <div className="mb-2">
                <Notice>
                  {words.cutFile(formats.bytes(new Blob([data.text ?? '']).size), formats.bytes(data.size))}
                </Notice>
              </div>
            )}
            {isPicture && (
              <p className="mb-2 text-sm">
                <SessionPicture sessionId={sessionId} path={path} alt={undefined}>
                  {visibleText(path)}
                </SessionPicture>
              </p>
            )}
            {data.text === undefined && !isPicture && <Notice>{words.binary}</Notice>}
            {data.text === '' && <p className="p-1 text-sm text-faint">{words.emptyFile}</p>}
            {data.text !== undefined && data.text !== '' && (
              <Code
                text={data.text}
                language={languageOf(path)}
                startLine={1}
                isBare
                marked={line === undefined ? undefined : [line, line]}
              />
            )}
          </>
        )}
      </div>
    </section>
  );
}
