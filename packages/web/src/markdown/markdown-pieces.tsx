import { Image, Square, SquareCheck } from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { visibleText } from '../code/visible-text.ts';
import { picturePath } from '../picture/picture-path.ts';
import { usePictureSession } from '../picture/picture-session.ts';
import { SessionPicture } from '../picture/session-picture.tsx';
import { InLinkContext } from './in-link.ts';
import { MarkdownLink } from './markdown-link.tsx';
import { markdownWords } from './markdown-words.ts';
import { useOpenFile } from './open-file.ts';
import { mentionedFile } from './safe-address.ts';

const CODE = 'rounded-sm bg-hover px-1 py-px font-mono text-code';

/** Code within a line; a file that it names can be opened. */
export function InlineCode({ text }: { text: string }) {
  const openFile = useOpenFile();
  const words = markdownWords.use();
  const file = openFile === undefined ? undefined : mentionedFile(text);
  if (file?.type !== 'file') return <code className={CODE}>{visibleText(text)}</code>;
  return (
    <button
      type="button"
      title={words.openFile(file.path)}
      onClick={() => openFile?.(file.path, file.line)}
      className={`${CODE} own-size text-left text-accent hover:underline`}
    >
      {visibleText(text)}
    </button>
  );
}

/**
 * An image of the session's own files is shown. One from elsewhere is not loaded: whoever wrote the text would know that
 * it was read, and where.
 */
export function MarkdownImage({ target, alt }: { target: string | null; alt: string | undefined }) {
  const words = markdownWords.use();
  const sessionId = usePictureSession();
  const isInLink = useContext(InLinkContext);
  const text = alt === undefined || alt.trim() === '' ? words.image : alt;
  const path = sessionId === undefined ? undefined : picturePath(target);
  if (sessionId !== undefined && path !== undefined)
    return (
      <SessionPicture sessionId={sessionId} path={path} alt={alt} isPlain={isInLink}>
        {text}
      </SessionPicture>
    );
  return (
    <span className="inline-flex items-baseline gap-1">
      <Image size={13} aria-hidden className="shrink-0 self-center text-faint" />
      <MarkdownLink target={target} text={text}>
        {text}
      </MarkdownLink>
    </span>
  );
}

/** Whether an item of a list is done. */
export function TaskBox({ isDone }: { isDone: boolean }) {
  const words = markdownWords.use();
  const Icon = isDone ? SquareCheck : Square;
  return (
    <>
      <Icon size={14} aria-hidden className={`mr-1 inline-block align-[-2px] ${isDone ? 'text-good' : 'text-faint'}`} />
      <span className="sr-only">{isDone ? words.done : words.notDone}</span>
    </>
  );
}

/** Words of somebody else, or a remark with a name of its own. */
export function Quote({ alert, children }: { alert: string | undefined; children: ReactNode }) {
  const words = markdownWords.use();
  const name =
    alert !== undefined && alert in words.alerts ? words.alerts[alert as keyof typeof words.alerts] : undefined;
  return (
    <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-soft">
      {name !== undefined && <p className="font-medium text-ink">{name}</p>}
      {children}
    </blockquote>
  );
}
