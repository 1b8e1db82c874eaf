import { MessageCircleOff } from 'lucide-react';
import { useIsAdmin } from '../../../api/me.ts';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { SettingsState } from '../../../settings-state/settings-state.tsx';
import { Rows } from '../shared/rows.tsx';
import { useSettings } from '../shared/use-settings.ts';
import { ChannelRow, SeenChannel } from './channel-row.tsx';
import { channelsWords } from './channels-words.ts';
import { Chats } from './chats.tsx';
import { MyAccounts } from './my-accounts.tsx';
import { useChannels } from './use-channels.ts';

/** Sessions in chats: one's own accounts, and for admins the bots and where they may speak. */
export function ChannelsPart() {
  const words = channelsWords.use();
  const isAdmin = useIsAdmin();
  const edited = useSettings();
  const { channels, error, retry } = useChannels();
  if (error !== null) return <Failure error={error} onRetry={retry} />;
  if (channels === undefined)
    return (
      <Panel>
        <SkeletonRows rows={4} />
      </Panel>
    );
  const isAnySetUp = channels.some(({ isConfigured }) => isConfigured);
  const shown = isAdmin ? channels : channels.filter(({ isConfigured }) => isConfigured);
  return (
    <>
      {(isAnySetUp || channels.some(({ bindings }) => bindings.length > 0)) && <MyAccounts channels={channels} />}
      <Section title={words.platforms} about={words.platformsAbout}>
        <SettingsState />
        {shown.length === 0 ? (
          <Panel>
            <EmptyState icon={<MessageCircleOff size={24} aria-hidden />} title={words.nothingSetUp}>
              {words.nothingSetUpAbout}
            </EmptyState>
          </Panel>
        ) : (
          <Rows label={words.platforms}>
            {shown.map((channel) =>
              isAdmin ? (
                <ChannelRow key={channel.name} channel={channel} edited={edited} />
              ) : (
                <SeenChannel key={channel.name} channel={channel} />
              ),
            )}
          </Rows>
        )}
      </Section>
      {isAdmin && (isAnySetUp || channels.some(({ chats }) => chats.length > 0)) && <Chats channels={channels} />}
    </>
  );
}
