import type { AnswerOf } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { CopyLine } from '../../../design/copy-button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { peopleWords } from './people-words.ts';

interface LoginLinkDialogProps {
  name: string;
  link: AnswerOf<'createLoginLink'>;
  onClose: () => void;
}

/** A login link, shown this once. */
export function LoginLinkDialog({ name, link, onClose }: LoginLinkDialogProps) {
  const words = peopleWords.use();
  const common = useCommonWords();
  const formats = useFormats();
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.linkTitle(name)}
      about={words.linkAbout}
      actions={
        <Button look="primary" onClick={onClose}>
          {common.done}
        </Button>
      }
    >
      <CopyLine text={link.url} label={words.copyLink} />
      <p className="mt-2 text-xs text-faint">{words.linkUntil(formats.moment(link.expiresAt))}</p>
    </Dialog>
  );
}
