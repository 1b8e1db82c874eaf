import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { type AnswerOf, useCall } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { TextField } from '../../../design/field.tsx';
import { Panel } from '../../../design/page.tsx';
import { leftOutWords } from './left-out-words.ts';

/** Why a path is indexed or not: what every layer of rules says about it, and which one decides. */
export function ExplainPath({ workspaceId }: { workspaceId: string }) {
  const words = leftOutWords.use();
  const [text, setText] = useState('');
  const [path, setPath] = useState('');
  const explained = useCall('explainPath', { workspaceId, path }, { isEnabled: path !== '', staleMs: 0 });
  return (
    <div className="flex flex-col gap-3">
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() === path) void explained.refetch();
          setPath(text.trim());
        }}
      >
        <TextField
          label={words.path}
          isLabelHidden
          placeholder="src/main.ts"
          className="min-w-0 flex-1"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" isBusy={explained.isFetching} disabled={text.trim() === ''}>
          {words.explain}
        </Button>
      </form>
      <div aria-live="polite" className="empty:hidden">
        {explained.error !== null ? (
          <Failure error={explained.error} />
        ) : (
          explained.data !== undefined && <Explanation explained={explained.data} />
        )}
      </div>
    </div>
  );
}

function Explanation({ explained: { path, isIndexed, layers } }: { explained: AnswerOf<'explainPath'> }) {
  const words = leftOutWords.use();
  const titles: Readonly<Record<string, string>> = words.layerTitles;
  return (
    <Panel className="p-4">
      <p className="flex items-center gap-2 text-sm font-medium">
        {isIndexed ? (
          <CircleCheck size={16} aria-hidden className="shrink-0 text-good" />
        ) : (
          <CircleX size={16} aria-hidden className="shrink-0 text-bad" />
        )}
        <span className="contained">{isIndexed ? words.isIndexed(path) : words.isNot(path)}</span>
      </p>
      <ol aria-label={words.layers} className="mt-2 flex flex-col gap-1 text-xs">
        {layers.map(({ layer, says, decides }, index) => (
          <li
            key={index}
            className={`grid gap-x-4 rounded-sm px-1.5 py-0.5 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] ${decides ? 'bg-accent-wash' : ''}`}
          >
            <span className="contained text-soft">
              {titles[layer] ?? layer} {decides && <Badge tone="accent">{words.decides}</Badge>}
            </span>
            <span className={decides ? 'contained font-medium' : 'contained text-faint'}>{words.says(says)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
