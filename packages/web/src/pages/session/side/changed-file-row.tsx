import type { FileChanges } from '@dragoman/protocol';
import { ChevronRight, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { visibleText } from '../../../code/visible-text.ts';
import { classNames } from '../../../design/class-names.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { ChangeDiff } from './change-diff.tsx';
import { sideWords } from './side-words.ts';
import { StageBox } from './stage-box.tsx';
import type { StageState } from './stage-state.ts';
import type { ReviewState } from './use-review.ts';

/** A changed file, as git tells of it. */
export type ChangedFile = FileChanges['files'][number];

type Kind = NonNullable<ChangedFile['staged']>;

const LETTERS: Record<Kind, string> = { added: 'A', modified: 'M', deleted: 'D', renamed: 'R', conflicted: '!' };
const COLOURS: Record<Kind, string> = {
  added: 'text-good',
  modified: 'text-busy',
  deleted: 'text-bad',
  renamed: 'text-accent',
  conflicted: 'text-warn',
};

interface ChangedFileRowProps {
  sessionId: string;
  file: ChangedFile;
  mode: 'inline' | 'split';
  mayAct: boolean;
  state: StageState;
  isStaging: boolean;
  review: ReviewState;
  onStage: (isStaged: boolean) => void;
  onDiscard: () => void;
}

/** One changed file in a line; how it changed when it is opened. */
export function ChangedFileRow({ file, mayAct, state, isStaging, onStage, onDiscard, ...rest }: ChangedFileRowProps) {
  const words = sideWords.use();
  const [isOpen, setOpen] = useState(false);
  const { path, oldPath, added, removed } = file;
  const kind = file.unstaged ?? file.staged ?? 'modified';
  const comments = rest.review.comments.filter((comment) => comment.path === path).length;
  return (
    <li className="border-t border-line">
      <div className="flex items-center gap-2 pr-1.5 pl-3">
        {mayAct && (
          <StageBox
            label={words.stage(visibleText(path))}
            state={state}
            isDisabled={isStaging}
            onChange={() => onStage(state !== 'staged')}
          />
        )}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          title={visibleText(oldPath === undefined ? path : `${path} (${words.from(oldPath)})`)}
          className="flex min-w-0 flex-1 items-center gap-1.5 rounded-sm py-1.5 text-left text-sm hover:bg-hover"
        >
          <ChevronRight
            size={12}
            aria-hidden
            className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
          />
          <span
            aria-hidden
            title={words.kinds[kind]}
            className={classNames('w-3 shrink-0 text-center font-mono text-xs font-semibold', COLOURS[kind])}
          >
            {LETTERS[kind]}
          </span>
          <span className="sr-only">{words.kinds[kind]}</span>
          <PathName path={path} isGone={kind === 'deleted'} />
          {comments > 0 && <span className="shrink-0 text-2xs text-accent">{words.comments(comments)}</span>}
          {added !== undefined && (
            <span className="shrink-0 font-mono text-2xs tabular-nums">
              <span className="text-good">{`+${added}`}</span> <span className="text-bad">{`−${removed ?? 0}`}</span>
            </span>
          )}
        </button>
        {mayAct && (
          <IconButton
            label={words.discard}
            icon={<Undo2 size={14} aria-hidden />}
            onClick={onDiscard}
            className={file.unstaged === undefined ? 'invisible' : ''}
          />
        )}
      </div>
      {isOpen && <ChangeDiff {...rest} file={file} mayAct={mayAct} />}
    </li>
  );
}

/** The name first, because it tells files apart; then where it is. */
function PathName({ path, isGone }: { path: string; isGone: boolean }) {
  const cut = path.replace(/\/$/, '').lastIndexOf('/') + 1;
  return (
    <span className="contained min-w-0 flex-1 truncate">
      <span className={isGone ? 'line-through' : ''}>{visibleText(path.slice(cut))}</span>
      {cut > 0 && <span className="ml-1.5 text-2xs text-faint">{visibleText(path.slice(0, cut - 1))}</span>}
    </span>
  );
}
