import type { ChannelInfo } from '@dragoman/protocol';
import { useId, useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { say } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { settingsWords } from '../settings-words.ts';
import type { EditedSettings } from '../shared/use-settings.ts';
import { channelChanges, type ChannelDraft, channelDraftOf, missingFields } from './channel-draft.ts';
import { ChannelFields } from './channel-fields.tsx';
import { channelsWords } from './channels-words.ts';
import { GuideSteps } from './guide-steps.tsx';

interface ChannelDialogProps {
  channel: ChannelInfo;
  edited: EditedSettings;
  onClose: () => void;
  onSaved: () => void;
}

/**
 * Sets a platform up: what to click where, step by step, and what to bring back from there. Where something is to be done
 * once the bot runs, it stays open and shows that.
 */
export function ChannelDialog({ channel, edited, onClose, onSaved }: ChannelDialogProps) {
  const words = channelsWords.use();
  const shared = settingsWords.use();
  const common = useCommonWords();
  const id = useId();
  // As it was when the dialog was opened: what is asked again meanwhile does not take away what was typed.
  const [{ name, title, fields, guide, savedAt = guide.length, isConfigured }] = useState(channel);
  const [draft, setDraft] = useState<ChannelDraft>(() => channelDraftOf(channel));
  const [isTried, setTried] = useState(false);
  const [isTyped, setTyped] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const missing = missingFields({ fields }, draft);
  const save = () => {
    setTried(true);
    if (missing.length > 0) return;
    const change = channelChanges({ name, fields }, draft);
    if (change.changes.length === 0) return onClose();
    edited.change(change, () => {
      say(shared.saved);
      onSaved();
      if (isConfigured || savedAt >= guide.length) return onClose();
      setSaved(true);
      setTyped(false);
    });
  };
  // What was fetched from another page is not lost by a click beside the dialog.
  const leave = () => (isTyped ? setLeaving(true) : onClose());
  if (isSaved)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title={words.setUpTitle(title)}
        actions={
          <Button look="primary" onClick={onClose}>
            {common.done}
          </Button>
        }
      >
        <p role="status" className="text-sm font-semibold">
          {words.goOn(savedAt + 1)}
        </p>
        <GuideSteps steps={guide} from={savedAt} />
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={leave}
      title={isConfigured ? words.settingsTitle(title) : words.setUpTitle(title)}
      actions={
        <>
          <Button onClick={leave}>{common.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            form={id}
            isBusy={edited.isSaving}
            disabled={edited.settings === undefined}
          >
            {isConfigured ? common.save : words.saveAndStart}
          </Button>
        </>
      }
    >
      {guide.length > 0 && (
        <details open={!isConfigured} className="mb-4">
          <summary className="w-fit rounded-sm text-sm font-semibold">{words.guide}</summary>
          <GuideSteps steps={guide} />
        </details>
      )}
      <form
        id={id}
        noValidate
        className="flex flex-col gap-3 pb-2"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {!isConfigured && <h3 className="text-sm font-semibold">{words.fields}</h3>}
        <ChannelFields
          fields={fields}
          draft={draft}
          missing={isTried ? missing : []}
          onChange={(field, value) => {
            setDraft({ ...draft, [field]: value });
            setTyped(true);
          }}
        />
        {edited.error !== null && <Failure error={edited.error} onRetry={edited.retry} />}
        {edited.saveError !== null && <Failure error={edited.saveError} />}
      </form>
      <Confirm
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        onConfirm={onClose}
        title={words.leaveTitle}
        confirm={words.leaveYes}
      >
        {words.leaveAbout}
      </Confirm>
    </Dialog>
  );
}
