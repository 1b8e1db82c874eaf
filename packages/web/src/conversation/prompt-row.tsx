import type { ContentBlockOf, ShownMessage } from '@dragoman/protocol';
import { EllipsisVertical, GitFork, Undo2, User } from 'lucide-react';
import { memo } from 'react';
import { approvalWords } from '../approval/approval-words.ts';
import { actorWords } from '../approval/decision-line.tsx';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { TimeAgo } from '../design/time-ago.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { Attachment } from './attachment.tsx';
import { useConversation } from './conversation-context.ts';
import { conversationWords } from './conversation-words.ts';
import { useOpen } from './open-state.ts';

/** A prompt longer than this is folded. */
const LONG_CHARS = 1800;
const LONG_LINES = 24;

/** What a person asked: who, from where, when, and what came with it. */
export const PromptRow = memo(function PromptRow({ message }: { message: ShownMessage }) {
  const words = conversationWords.use();
  const texts = message.blocks.flatMap(({ block }) => (block.type === 'text' ? [block.text] : []));
  const attached = message.blocks.flatMap(({ block }) =>
    block.type === 'image' || block.type === 'file' ? [block as ContentBlockOf<'image' | 'file'>] : [],
  );
  const text = texts.join('\n\n');
  const name = useName(message);
  return (
    <article className="group rounded-lg border border-line bg-panel px-3 py-2">
      <header className="flex min-h-7 items-center gap-2 text-xs">
        <User size={14} aria-hidden className="shrink-0 text-accent" />
        <h2 className="min-w-0 truncate font-medium">
          <span className="sr-only">{words.promptBy(name)}</span>
          <span aria-hidden>{name}</span>
        </h2>
        <Origin message={message} />
        <span className="ml-auto flex items-center opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          <CopyButton text={text} label={words.copyText} />
          <PromptMenu messageId={message.id} />
        </span>
      </header>
      <PromptText id={message.id} text={text} />
      {attached.length > 0 && (
        <ul className="flex flex-wrap gap-2 pt-2">
          {attached.map((block, index) => (
            <li key={index} className="max-w-full">
              <Attachment block={block} isSmall />
            </li>
          ))}
        </ul>
      )}
    </article>
  );
});

function useName({ by }: ShownMessage): string {
  const words = conversationWords.use();
  const actors = approvalWords.use();
  if (by === undefined) return words.someone;
  return by.type === 'user' ? by.name : actorWords(actors, by);
}

function Origin({ message: { by, blocks } }: { message: ShownMessage }) {
  const words = conversationWords.use();
  const [first] = blocks;
  const channel = by?.type === 'user' && by.channel !== 'web' ? by.channel : undefined;
  return (
    <>
      {channel !== undefined && <span className="shrink-0 text-faint">{words.through(channel)}</span>}
      {first !== undefined && <TimeAgo at={first.startedAt} className="shrink-0 text-faint" />}
    </>
  );
}

function PromptText({ id, text }: { id: string; text: string }) {
  const common = useCommonWords();
  const isLong = text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES;
  const [isOpen, toggle] = useOpen(`prompt ${id}`);
  if (text.trim() === '') return null;
  return (
    <>
      <div className={classNames(isLong && !isOpen && 'max-h-60 overflow-hidden mask-b-from-70%')}>
        <Markdown text={text} keepsLines />
      </div>
      {isLong && (
        <Button size="small" look="quiet" aria-expanded={isOpen} onClick={toggle} className="mt-1">
          {isOpen ? common.showLess : common.showMore}
        </Button>
      )}
    </>
  );
}

function PromptMenu({ messageId }: { messageId: string }) {
  const words = conversationWords.use();
  const { mayAct, onFork, onRevert } = useConversation();
  if (!mayAct || (onFork === undefined && onRevert === undefined)) return null;
  return (
    <Menu trigger={<IconButton label={words.promptActions} icon={<EllipsisVertical size={14} aria-hidden />} />}>
      {onFork !== undefined && (
        <MenuItem icon={<GitFork size={14} aria-hidden />} onChoose={() => onFork(messageId)}>
          {words.forkHere}
        </MenuItem>
      )}
      {onRevert !== undefined && (
        <MenuItem icon={<Undo2 size={14} aria-hidden />} onChoose={() => onRevert(messageId)}>
          {words.revertHere}
        </MenuItem>
      )}
    </Menu>
  );
}
