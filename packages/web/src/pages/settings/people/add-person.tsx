import type { Role } from '@dragoman/protocol';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Failure } from '../../../design/failure.tsx';
import { SelectField, TextField } from '../../../design/field.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { LoginLinkDialog } from './login-link-dialog.tsx';
import { peopleWords } from './people-words.ts';

/** Adds a person and makes the link they log in with. */
export function AddPerson({ onClose }: { onClose: () => void }) {
  const words = peopleWords.use();
  const common = useCommonWords();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('member');
  const link = useAction('createLoginLink');
  const add = useAction('createUser', {
    changes: ['listUsers'],
    onDone: ({ id }) => link.mutate({ userId: id }),
  });
  const error = add.error ?? link.error;
  if (link.data !== undefined) return <LoginLinkDialog name={name.trim()} link={link.data} onClose={onClose} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.add}
      about={words.addAbout}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            form="add-person"
            disabled={name.trim() === ''}
            isBusy={add.isPending || link.isPending}
          >
            {words.addAndLink}
          </Button>
        </>
      }
    >
      <form
        id="add-person"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          // Once they are there, only the link is missing.
          if (add.data === undefined) add.mutate({ name, role });
          else link.mutate({ userId: add.data.id });
        }}
      >
        <TextField
          label={words.name}
          maxLength={60}
          required
          disabled={add.data !== undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={words.role}
          disabled={add.data !== undefined}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          {(['viewer', 'member', 'admin'] as const).map((one) => (
            <option key={one} value={one}>
              {words.roles[one]}
            </option>
          ))}
        </SelectField>
        {error !== null && <Failure error={error} />}
      </form>
    </Dialog>
  );
}
