import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextAreaField, TextField } from '../design/field.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { approvalWords } from './approval-words.ts';

/** An answer in words, where the agent takes one; it also goes with an option that is chosen. */
export function AnswerBox({
  text,
  onText,
  onSend,
  isBusy,
}: {
  text: string;
  onText: (text: string) => void;
  onSend: () => void;
  isBusy: boolean;
}) {
  const words = approvalWords.use();
  return (
    <div className="flex items-end gap-2">
      <TextAreaField
        className="flex-1"
        label={words.answerInWords}
        rows={2}
        value={text}
        maxLength={20_000}
        onChange={({ target }) => onText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
          event.preventDefault();
          if (text.trim() !== '') onSend();
        }}
      />
      <Button isBusy={isBusy} disabled={text.trim() === ''} onClick={onSend}>
        {words.sendAnswer}
      </Button>
    </div>
  );
}

/** A no that says why. */
export function RefusalBox({
  onSend,
  onClose,
  isBusy,
}: {
  onSend: (reason: string) => void;
  onClose: () => void;
  isBusy: boolean;
}) {
  const words = approvalWords.use();
  const common = useCommonWords();
  const [reason, setReason] = useState('');
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(reason.trim());
      }}
    >
      <TextField
        className="min-w-48 flex-1"
        label={words.reason}
        placeholder={words.reasonHint}
        value={reason}
        maxLength={20_000}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens because the person wants to write in it
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button type="submit" look="danger" isBusy={isBusy}>
        {words.deny}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {common.cancel}
      </Button>
    </form>
  );
}
