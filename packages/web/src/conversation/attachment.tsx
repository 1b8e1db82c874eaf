import type { ContentBlockOf } from '@dragoman/protocol';
import { FileDown, FileText, ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../api/calls.ts';
import { client } from '../api/client.ts';
import { download } from '../api/download.ts';
import { visibleText } from '../code/visible-text.ts';
import { Badge } from '../design/badge.tsx';
import { sayError } from '../design/toasts.tsx';
import { linkTarget } from '../markdown/safe-address.ts';
import { usePictureSource } from '../picture/use-picture-source.ts';
import { useFormats } from '../words/formats.ts';
import { conversationWords } from './conversation-words.ts';

type Attached = ContentBlockOf<'image' | 'file'>;

/** What a browser shows as a picture without running anything that is inside. */
const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif)$/i;
const STORED = /^\/api\/attachments\/(att_\w{1,64})$/;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const MAX_INSIDE = 4_000_000;

/** An image to look at, or a file to download. Nothing is ever loaded from another place. */
export function Attachment({ block, isSmall = false }: { block: Attached; isSmall?: boolean }) {
  const storedId = STORED.exec(block.url ?? '')?.[1];
  if (storedId === undefined) return <Shown block={block} isSmall={isSmall} source={sourceInside(block)} />;
  if (block.type === 'image' && isPicture(block))
    return <StoredPicture block={block} isSmall={isSmall} attachmentId={storedId} />;
  return <Chip block={block} storedId={storedId} />;
}

/** The server gives its bytes to calls alone: an address in the page would come without the page's secret. */
function StoredPicture({ attachmentId, ...shown }: { block: Attached; isSmall: boolean; attachmentId: string }) {
  const words = conversationWords.use();
  const { data, error } = useCall('getAttachment', { attachmentId }, { staleMs: Infinity });
  const source = usePictureSource(data);
  if (source !== undefined || error !== null) return <Shown {...shown} source={source} storedId={attachmentId} />;
  return <div role="img" aria-label={words.image} className="size-20 rounded-md border border-line bg-raised" />;
}

interface ShownProps {
  block: Attached;
  isSmall: boolean;
  source: string | undefined;
  storedId?: string | undefined;
}

function Shown({ block, isSmall, source, storedId }: ShownProps) {
  const words = conversationWords.use();
  const [isBroken, setBroken] = useState(false);
  if (block.type === 'image' && source !== undefined && isPicture(block) && !isBroken)
    return (
      <a
        href={source.startsWith('blob:') ? source : undefined}
        target="_blank"
        rel="noopener noreferrer"
        className="w-fit max-w-full"
      >
        <img
          src={source}
          alt={words.image}
          loading="lazy"
          onError={() => setBroken(true)}
          className={
            isSmall
              ? 'size-20 rounded-md border border-line bg-raised object-cover'
              : 'h-auto max-h-96 max-w-full rounded-md border border-line bg-raised object-contain'
          }
        />
      </a>
    );
  return <Chip block={block} storedId={storedId} />;
}

function Chip({ block, storedId }: { block: Attached; storedId: string | undefined }) {
  const words = conversationWords.use();
  const formats = useFormats();
  const elsewhere = linkTarget(block.url);
  const name = visibleText((block.type === 'file' ? block.name : words.image).slice(0, 200));
  const size = block.data === undefined ? undefined : formats.bytes(Math.floor((block.data.length * 3) / 4));
  const Icon =
    block.type === 'image' ? ImageOff : storedId === undefined && block.data === undefined ? FileText : FileDown;
  const shown = (
    <>
      <Icon size={14} aria-hidden className="shrink-0 text-faint" />
      <span className="contained truncate">
        {elsewhere?.type === 'address' && block.type === 'image' ? words.imageFrom(elsewhere.host) : name}
      </span>
      {block.type === 'file' && block.media_type !== undefined && <Badge>{block.media_type.slice(0, 40)}</Badge>}
      {size !== undefined && <span className="shrink-0 text-2xs text-faint">{size}</span>}
      {storedId === undefined && block.type === 'file' && block.uri !== undefined && (
        <span className="shrink-0 text-2xs text-faint">{words.onMachine}</span>
      )}
    </>
  );
  const box = 'flex w-fit max-w-full items-center gap-1.5 rounded-md border border-line bg-raised px-2 py-1 text-xs';
  if (storedId !== undefined)
    return (
      <button
        type="button"
        title={words.download(name)}
        onClick={() => void saveStored(storedId, block)}
        className={`${box} hover:bg-hover`}
      >
        {shown}
      </button>
    );
  if (elsewhere?.type === 'address')
    return (
      <a
        href={elsewhere.href}
        title={elsewhere.href}
        target="_blank"
        rel="noopener noreferrer"
        className={`${box} hover:bg-hover`}
      >
        {shown}
      </a>
    );
  const { data } = block;
  if (block.type === 'file' && data !== undefined && BASE64.test(data))
    return (
      <button
        type="button"
        title={words.download(name)}
        onClick={() => saveBytes(block.name, data)}
        className={`${box} hover:bg-hover`}
      >
        {shown}
      </button>
    );
  return <span className={box}>{shown}</span>;
}

async function saveStored(attachmentId: string, block: Attached): Promise<void> {
  try {
    download(await client.getAttachment({ attachmentId }), block.type === 'file' ? block.name.slice(0, 200) : '');
  } catch (error) {
    sayError(error as Error);
  }
}

/** Small files are inside of their block. */
function saveBytes(name: string, data: string): void {
  const bytes = Uint8Array.from(atob(data.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  download({ bytes, mediaType: 'application/octet-stream' }, name);
}

function isPicture({ media_type: type = '', url }: Attached): boolean {
  return PICTURES.test(type.split(';', 1)[0]!.trim()) && !(url !== undefined && /^https?:/i.test(url));
}

/** A picture whose bytes are inside of the block. */
function sourceInside(block: Attached): string | undefined {
  if (!isPicture(block)) return undefined;
  if (block.url !== undefined)
    return /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]*$/i.test(block.url.slice(0, MAX_INSIDE))
      ? block.url
      : undefined;
  if (block.data === undefined || block.data.length > MAX_INSIDE || !BASE64.test(block.data)) return undefined;
  const type = block.media_type?.split(';', 1)[0]!.trim().toLowerCase();
  return `data:${type};base64,${block.data.replaceAll('-', '+').replaceAll('_', '/')}`;
}
