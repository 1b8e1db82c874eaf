import type { Role } from '@dragoman/protocol';
import type { UserInfo } from '@dragoman/protocol/console';
import { Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { SelectField } from '../../../design/field.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { Row } from '../shared/rows.tsx';
import { LoginLinkDialog } from './login-link-dialog.tsx';
import { peopleWords } from './people-words.ts';

/** A person: their role, a new way in for them, and how they are sent away. */
export function PersonRow({ user, isMe }: { user: UserInfo; isMe: boolean }) {
  const words = peopleWords.use();
  const common = useCommonWords();
  const [isRemoving, setRemoving] = useState(false);
  const update = useAction('updateUser', { changes: ['listUsers', 'listTokens', 'me'] });
  const remove = useAction('removeUser', { changes: ['listUsers', 'listTokens'], onDone: () => setRemoving(false) });
  const link = useAction('createLoginLink');
  const role = update.isPending ? (update.variables.role ?? user.role) : user.role;
  return (
    <Row
      icon={
        <span className="flex size-7 items-center justify-center rounded-full bg-accent-wash text-xs font-semibold text-accent-strong uppercase">
          <span aria-hidden>{user.name.slice(0, 1)}</span>
        </span>
      }
      title={user.name}
      marks={isMe && <Badge tone="accent">{words.you}</Badge>}
      about={
        <>
          {words.joined} <TimeAgo at={user.createdAt} />
          {' · '}
          {user.lastSeenAt === undefined ? (
            words.neverSeen
          ) : (
            <>
              {words.lastSeen} <TimeAgo at={user.lastSeenAt} />
            </>
          )}
        </>
      }
      actions={
        <>
          <SelectField
            label={words.roleOf(user.name)}
            isLabelHidden
            className="w-28"
            value={role}
            disabled={update.isPending}
            onChange={(event) =>
              update.mutate({ userId: user.id, role: event.target.value as Role }, { onError: sayError })
            }
          >
            {(['viewer', 'member', 'admin'] as const).map((one) => (
              <option key={one} value={one}>
                {common.roles[one]}
              </option>
            ))}
          </SelectField>
          <Button
            size="small"
            icon={<Link2 size={14} aria-hidden />}
            aria-label={words.linkLabel(user.name)}
            isBusy={link.isPending}
            onClick={() => link.mutate({ userId: user.id }, { onError: sayError })}
          >
            {words.link}
          </Button>
          <IconButton
            label={words.removeLabel(user.name)}
            icon={<Trash2 size={14} aria-hidden />}
            disabled={isMe}
            onClick={() => setRemoving(true)}
          />
        </>
      }
    >
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate({ userId: user.id }, { onError: sayError })}
        isBusy={remove.isPending}
        title={words.removeTitle(user.name)}
        confirm={words.remove}
      >
        {words.removeAbout}
      </Confirm>
      {link.data !== undefined && <LoginLinkDialog name={user.name} link={link.data} onClose={link.reset} />}
    </Row>
  );
}
