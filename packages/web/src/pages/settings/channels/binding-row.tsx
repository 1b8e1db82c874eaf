import type { ChannelBinding } from '@dragoman/protocol';
import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { Row } from '../shared/rows.tsx';
import { channelsWords } from './channels-words.ts';

interface BindingRowProps {
  channel: { name: string; title: string };
  binding: ChannelBinding;
}

/** An account of a platform that is known as somebody, and how to end that. */
export function BindingRow({ channel, binding }: BindingRowProps) {
  const words = channelsWords.use();
  const { accountId, accountName, user, isMine, createdAt } = binding;
  const [isLeaving, setLeaving] = useState(false);
  const remove = useAction('removeBinding', {
    changes: ['readChannels'],
    onDone() {
      setLeaving(false);
      say(words.unbound);
    },
  });
  return (
    <Row
      icon={<CircleUser size={16} aria-hidden />}
      title={accountName}
      marks={<Badge>{channel.title}</Badge>}
      about={
        <>
          {!isMine && `${user} · `}
          {words.boundSince} <TimeAgo at={createdAt} />
        </>
      }
      actions={
        <Button size="small" aria-label={words.unbindLabel(accountName)} onClick={() => setLeaving(true)}>
          {words.unbind}
        </Button>
      }
    >
      <Confirm
        isOpen={isLeaving}
        onClose={() => setLeaving(false)}
        onConfirm={() => remove.mutate({ channel: channel.name, accountId }, { onError: sayError })}
        isBusy={remove.isPending}
        title={words.unbindTitle(accountName)}
        confirm={words.unbind}
      >
        {words.unbindAbout}
      </Confirm>
    </Row>
  );
}
