import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { TextAreaField } from '../../../design/field.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { sideWords } from './side-words.ts';

interface CommentBoxProps {
  line: number;
  onAdd: (text: string) => void;
  onCancel: () => void;
}

/** Where a comment on a line is written. */
export function CommentBox({ line, onAdd, onCancel }: CommentBoxProps) {
  const words = sideWords.use();
  const common = useCommonWords();
  const [text, setText] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector('textarea')?.focus();
  }, []);
  const add = () => {
    if (text.trim() !== '') onAdd(text.trim());
  };
  return (
    <div ref={box} className="rounded-md border border-accent bg-panel p-2">
      <TextAreaField
        label={words.comment(line)}
        placeholder={words.commentHint}
        rows={2}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) add();
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          onCancel();
        }}
      />
      <div className="mt-2 flex justify-end gap-2">
        <Button size="small" look="quiet" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button size="small" look="primary" disabled={text.trim() === ''} onClick={add}>
          {words.addComment}
        </Button>
      </div>
    </div>
  );
}
