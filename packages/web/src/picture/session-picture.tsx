import { Image, ImageOff } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useCall } from '../api/calls.ts';
import { visibleText } from '../code/visible-text.ts';
import { Dialog } from '../design/dialog.tsx';
import { pictureWords } from './picture-words.ts';
import { usePictureSource } from './use-picture-source.ts';
import { useSeen } from './use-seen.ts';

/** What every size of it shares. A drawing may have no ground of its own, so it gets a light one. */
const LOOK = 'rounded-md border border-line bg-white object-contain';

interface SessionPictureProps {
  sessionId: string;
  path: string;
  alt: string | undefined;
  /** It stands in something that is pressed itself. */
  isPlain?: boolean;
  /** What stands for it while it is fetched and where it cannot be read: its words. */
  children: ReactNode;
}

/** A picture of the session's own files, asked of its machine when it comes near to the screen. A click shows it large. */
export function SessionPicture({ sessionId, path, alt, isPlain = false, children }: SessionPictureProps) {
  const words = pictureWords.use();
  const place = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(place);
  const { data, error } = useCall('readImage', { sessionId, path }, { isEnabled: isSeen, staleMs: 60_000 });
  const source = usePictureSource(data);
  const [brokenSource, setBrokenSource] = useState<string>();
  const [isLarge, setLarge] = useState(false);
  const name = visibleText(alt?.trim() || path.split(/[/\\]/).at(-1)!).slice(0, 300);
  const isBroken = error !== null || (source !== undefined && source === brokenSource);
  if (source === undefined || isBroken)
    return (
      <span ref={place} className="contained" title={isBroken ? (error?.message ?? words.notShown) : words.loading}>
        {isBroken ? <ImageOff {...ICON} /> : <Image {...ICON} />}
        {children}
        {isBroken && <span className="text-faint">{` (${visibleText(path).slice(0, 300).toWellFormed()})`}</span>}
        {isBroken && <span className="sr-only">{` ${words.notShown}`}</span>}
      </span>
    );
  const image = (
    <img
      src={source}
      alt={name}
      decoding="async"
      onError={() => setBrokenSource(source)}
      className={`max-h-96 max-w-full ${LOOK}`}
    />
  );
  if (isPlain) return image;
  return (
    <>
      <button
        type="button"
        title={visibleText(path)}
        aria-label={words.enlarge(name)}
        onClick={() => setLarge(true)}
        className="inline-block max-w-full cursor-zoom-in rounded-md align-bottom"
      >
        {image}
      </button>
      <Dialog isOpen={isLarge} onClose={() => setLarge(false)} title={name} about={visibleText(path)} size="full">
        <img src={source} alt={name} className={`mx-auto mb-2 max-h-[74dvh] max-w-full ${LOOK}`} />
      </Dialog>
    </>
  );
}

const ICON = { size: 13, 'aria-hidden': true, className: 'mr-1 inline shrink-0 align-[-2px] text-faint' } as const;
