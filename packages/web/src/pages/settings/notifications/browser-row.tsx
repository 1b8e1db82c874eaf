import type { PushSubscriptionInfo } from '@dragoman/protocol';
import { Bell } from 'lucide-react';
import { useAction } from '../../../api/calls.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { settingsWords } from '../settings-words.ts';
import { Row } from '../shared/rows.tsx';
import { notificationsWords } from './notifications-words.ts';

interface BrowserRowProps {
  subscription: PushSubscriptionInfo;
  isThis: boolean;
  onRemove: () => void;
}

/** A browser that is notified. */
export function BrowserRow({ subscription, isThis, onRemove }: BrowserRowProps) {
  const words = notificationsWords.use();
  const shared = settingsWords.use();
  const { id, name, about, createdAt, lastError } = subscription;
  const test = useAction('testPush', { changes: ['readPush'], onDone: () => say(words.tested) });
  const kinds = (['approvals', 'failures', 'finished'] as const).filter((kind) => about[kind]);
  return (
    <Row
      icon={<Bell size={16} aria-hidden />}
      title={name}
      marks={isThis && <Badge tone="accent">{shared.thisOne}</Badge>}
      about={
        <>
          {kinds.map((kind) => words.about[kind]).join(', ')}
          {' · '}
          {words.since} <TimeAgo at={createdAt} />
          {lastError !== undefined && (
            <span className="block text-warn">
              {words.lastError} {lastError}
            </span>
          )}
        </>
      }
      actions={
        <>
          <Button
            size="small"
            aria-label={words.testLabel(name)}
            isBusy={test.isPending}
            onClick={() => test.mutate({ subscriptionId: id }, { onError: sayError })}
          >
            {words.test}
          </Button>
          <Button size="small" look="quiet" aria-label={words.removeLabel(name)} onClick={onRemove}>
            {words.remove}
          </Button>
        </>
      }
    />
  );
}
