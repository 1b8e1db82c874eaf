import { Link } from '@tanstack/react-router';
import { useCall } from '../../../api/calls.ts';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { Rows } from '../shared/rows.tsx';
import { BrowserRow } from './browser-row.tsx';
import { notificationsWords } from './notifications-words.ts';
import { ThisBrowser } from './this-browser.tsx';
import { useThisBrowser } from './use-this-browser.ts';

/** Notifications: of this browser, and of the others of the same person. */
export function NotificationsPart() {
  const words = notificationsWords.use();
  const { data, error, refetch } = useCall('readPush');
  const browser = useThisBrowser(data?.publicKey);
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  const own = data?.subscriptions.find(({ id }) => id === browser.id);
  return (
    <>
      <Section title={words.here} about={words.hereAbout}>
        {data === undefined ? (
          <Panel>
            <SkeletonRows rows={3} />
          </Panel>
        ) : (
          <ThisBrowser
            key={own?.id}
            own={own}
            isBusy={browser.subscribe.isPending || browser.unsubscribe.isPending}
            error={browser.subscribe.error ?? browser.unsubscribe.error}
            onSubscribe={(about) => browser.subscribe.mutate(about)}
            onUnsubscribe={(id) => browser.unsubscribe.mutate(id)}
          />
        )}
      </Section>
      {data !== undefined && (
        <Section title={words.mine} about={words.mineAbout}>
          {data.subscriptions.length === 0 ? (
            <p className="text-sm text-soft">{words.none}</p>
          ) : (
            <Rows label={words.mine}>
              {data.subscriptions.map((subscription) => (
                <BrowserRow
                  key={subscription.id}
                  subscription={subscription}
                  isThis={subscription === own}
                  onRemove={() => browser.unsubscribe.mutate(subscription.id)}
                />
              ))}
            </Rows>
          )}
        </Section>
      )}
      <p className="text-sm text-soft">
        {words.chats}{' '}
        <Link to="/settings" search={{ tab: 'channels' }} className="text-accent underline underline-offset-2">
          {words.toChats}
        </Link>
      </p>
    </>
  );
}
