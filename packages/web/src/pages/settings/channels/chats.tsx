import type { ChannelInfo } from '@dragoman/protocol';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Section } from '../../../design/page.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { Rows } from '../shared/rows.tsx';
import { BindingRow } from './binding-row.tsx';
import { boundAccounts } from './bound-accounts.ts';
import { channelsWords } from './channels-words.ts';
import { ChatRow } from './chat-row.tsx';
import { type ListedChat, listedChats } from './listed-chats.ts';

/** More than these are shown when somebody asks for them. */
const FIRST = 20;

/** Where the bots are and who is known to them, for admins. */
export function Chats({ channels }: { channels: readonly ChannelInfo[] }) {
  const words = channelsWords.use();
  const groups = listedChats(channels, 'group');
  const privateChats = listedChats(channels, 'private');
  const others = boundAccounts(channels).filter(({ binding }) => !binding.isMine);
  return (
    <>
      <Section title={words.groups} about={words.groupsAbout}>
        {groups.length === 0 ? (
          <p className="text-sm text-soft">
            {words.noGroups} {words.noGroupsAbout}
          </p>
        ) : (
          <ChatList label={words.groups} chats={groups} />
        )}
      </Section>
      {privateChats.length > 0 && (
        <Section title={words.chats}>
          <ChatList label={words.chats} chats={privateChats} />
        </Section>
      )}
      {others.length > 0 && (
        <Section title={words.others} about={words.othersAbout}>
          <Rows label={words.others}>
            {others.map(({ key, channel, binding }) => (
              <BindingRow key={key} channel={channel} binding={binding} />
            ))}
          </Rows>
        </Section>
      )}
    </>
  );
}

function ChatList({ label, chats }: { label: string; chats: readonly ListedChat[] }) {
  const common = useCommonWords();
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <Rows label={label}>
        {(isWhole ? chats : chats.slice(0, FIRST)).map(({ key, channel, chat, topics }) => (
          <ChatRow key={key} channel={channel} chat={chat} topics={topics} />
        ))}
      </Rows>
      {!isWhole && chats.length > FIRST && (
        <Button size="small" look="quiet" className="mt-2" onClick={() => setWhole(true)}>
          {common.showMore}
        </Button>
      )}
    </>
  );
}
