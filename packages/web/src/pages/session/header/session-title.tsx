import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { visibleText } from '../../../code/visible-text.ts';
import { sessionWords } from '../session-words.ts';

interface SessionTitleProps {
  title: string;
  mayAct: boolean;
  isEditing: boolean;
  onEditing: (isEditing: boolean) => void;
  onRename: (title: string) => void;
}

/** The session's title; who may act can change it where it stands. */
export function SessionTitle({ title, mayAct, isEditing, onEditing, onRename }: SessionTitleProps) {
  const words = sessionWords.use();
  const shown = title === '' ? words.untitled : visibleText(title);
  if (isEditing)
    return (
      <TitleInput
        title={title}
        onDone={(next) => {
          onEditing(false);
          if (next !== undefined && next !== '' && next !== title) onRename(next);
        }}
      />
    );
  return (
    <h1 className="flex min-w-0 text-base font-semibold">
      {mayAct ? (
        <button
          type="button"
          title={words.rename}
          onClick={() => onEditing(true)}
          className="group flex min-w-0 items-center gap-1.5 rounded-sm px-1 py-0.5 text-left hover:bg-hover"
        >
          <span className="contained truncate" title={shown}>
            {shown}
          </span>
          <Pencil
            size={12}
            aria-hidden
            className="shrink-0 text-faint opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100 pointer-coarse:hidden"
          />
        </button>
      ) : (
        <span className="contained truncate px-1" title={shown}>
          {shown}
        </span>
      )}
    </h1>
  );
}

function TitleInput({ title, onDone }: { title: string; onDone: (title: string | undefined) => void }) {
  const words = sessionWords.use();
  const [text, setText] = useState(title);
  return (
    <input
      ref={takeOver}
      value={text}
      maxLength={200}
      aria-label={words.newTitle}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onDone(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) onDone(text.trim());
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onDone(undefined);
      }}
      className="h-7 w-full max-w-lg min-w-0 rounded-md border border-line-strong bg-panel px-2 text-base font-semibold"
    />
  );
}

/** What was pressed is gone; whoever pressed it wants to write here. */
function takeOver(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
