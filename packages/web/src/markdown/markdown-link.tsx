import { type ReactNode, useContext } from 'react';
import { visibleText } from '../code/visible-text.ts';
import { InLinkContext } from './in-link.ts';
import { useOpenFile } from './open-file.ts';
import { markdownWords } from './markdown-words.ts';
import { linkTarget } from './safe-address.ts';

const LINK = 'text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent';

/** A link in a text by somebody else; what may not be one is shown as words, with where it would have led. */
export function MarkdownLink({ target, text, children }: { target: string | null; text: string; children: ReactNode }) {
  const isInLink = useContext(InLinkContext);
  const openFile = useOpenFile();
  const words = markdownWords.use();
  const link = linkTarget(target);
  const inside = <InLinkContext value={true}>{children}</InLinkContext>;
  if (isInLink) return children;
  if (link?.type === 'address')
    return (
      <>
        <a href={link.href} title={link.href} target="_blank" rel="noopener noreferrer" className={LINK}>
          {inside}
        </a>
        {isElsewhere(text, link.host) && <span className="text-faint">{` (${link.host})`}</span>}
      </>
    );
  if (link?.type === 'file' && openFile !== undefined)
    return (
      <button
        type="button"
        title={words.openFile(link.path)}
        onClick={() => openFile(link.path, link.line)}
        className={`${LINK} text-left`}
      >
        {inside}
      </button>
    );
  return (
    <>
      {children}
      {link === undefined && target !== null && target !== '' && (
        <span className="text-faint">{` (${visibleText(target.slice(0, 300)).toWellFormed()})`}</span>
      )}
    </>
  );
}

/** Whether words that look like an address name another place than the link leads to. */
function isElsewhere(text: string, host: string): boolean {
  const [, named] = /^\s*(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?:[/:?#]|\s*$)/i.exec(text.slice(0, 300)) ?? [];
  if (named === undefined || host === '') return false;
  const plain = (name: string) => name.toLowerCase().replace(/^www\.|:\d+$/g, '');
  return plain(named) !== plain(host);
}
