import { type FormEvent, useId, useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { TextField } from '../../../design/field.tsx';
import { say } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { type PriceDraft, priceChange, priceMistakes } from './price-draft.ts';
import { pricesWords } from './prices-words.ts';

interface PriceDialogProps {
  /** "provider/model". */
  target: string;
  onClose: () => void;
}

/** Sets the price of a model at its provider. */
export function PriceDialog({ target, onClose }: PriceDialogProps) {
  const words = pricesWords.use();
  const common = useCommonWords();
  const form = useId();
  const [draft, setDraft] = useState<PriceDraft>({ input: '', cacheRead: '', output: '' });
  const [isTried, setTried] = useState(false);
  const saving = useAction('changeSettings', {
    changes: ['readUsage', 'readGateway', 'readSettings'],
    onDone: () => {
      say(words.saved(target));
      onClose();
    },
  });
  const mistakes = priceMistakes(draft);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(mistakes).length === 0) saving.mutate({ changes: [priceChange(target, draft)] });
  };
  const field = (name: keyof PriceDraft, hint?: string) => {
    const mistake = isTried ? mistakes[name] : undefined;
    return (
      <TextField
        label={words.fields[name]}
        hint={hint}
        inputMode="decimal"
        autoComplete="off"
        placeholder="0.00"
        error={mistake && words.mistakes[mistake]}
        value={draft[name]}
        onChange={({ target: box }) => setDraft({ ...draft, [name]: box.value })}
      />
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.dialogTitle(target)}
      about={words.dialogAbout}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="primary" type="submit" form={form} isBusy={saving.isPending}>
            {common.save}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="flex flex-col gap-3 pb-2" onSubmit={save}>
        {field('input')}
        {field('cacheRead', words.cacheReadHint)}
        {field('output')}
        {saving.error !== null && <Failure error={saving.error} />}
      </form>
    </Dialog>
  );
}
