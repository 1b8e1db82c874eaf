import { Search, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { TextField } from '../../../design/field.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { searchWords } from './search-words.ts';

interface QuestionBoxProps {
  question: string;
  /** Asked before, the newest first. */
  questions: readonly string[];
  isBusy: boolean;
  onAsk: (question: string) => void;
  onForget: () => void;
}

/** A line to ask in, with the questions that were asked before below it. */
export function QuestionBox({ question, questions, isBusy, onAsk, onForget }: QuestionBoxProps) {
  const words = searchWords.use();
  const [text, setText] = useState(question);
  const before = questions.filter((one) => one !== question);
  return (
    <div className="flex flex-col gap-2">
      <form
        role="search"
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onAsk(text.trim());
        }}
      >
        <TextField
          label={words.question}
          isLabelHidden
          type="search"
          placeholder={words.hint}
          maxLength={10_000}
          className="min-w-0 flex-1"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button look="primary" type="submit" icon={<Search size={15} aria-hidden />} isBusy={isBusy}>
          {words.ask}
        </Button>
      </form>
      {before.length > 0 && (
        <div className="flex items-start gap-1.5">
          <ul aria-label={words.before} className="flex min-w-0 flex-1 flex-wrap gap-1.5">
            {before.map((one) => (
              <li key={one} className="min-w-0">
                <Button size="small" title={one} className="max-w-64 font-normal" onClick={() => onAsk(one)}>
                  <span className="contained truncate">{one}</span>
                </Button>
              </li>
            ))}
          </ul>
          <IconButton label={words.forget} icon={<X size={14} aria-hidden />} onClick={onForget} />
        </div>
      )}
    </div>
  );
}
