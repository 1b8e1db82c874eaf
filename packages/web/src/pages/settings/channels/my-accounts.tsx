import type { ChannelInfo } from '@dragoman/protocol';
import { Link2, MessagesSquare } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { useLanguage } from '../../../words/language.ts';
import { Rows } from '../shared/rows.tsx';
import { BindDialog } from './bind-dialog.tsx';
import { BindingRow } from './binding-row.tsx';
import { type BoundAccount, boundAccounts } from './bound-accounts.ts';
import { channelsWords } from './channels-words.ts';
import { useChannels } from './use-channels.ts';

/** The chat accounts of who is looking, and how to get another one known. */
export function MyAccounts({ channels }: { channels: readonly ChannelInfo[] }) {
  const words = channelsWords.use();
  const language = useLanguage();
  const mine = boundAccounts(channels).filter(({ binding }) => binding.isMine);
  const [before, setBefore] = useState<ReadonlySet<string>>();
  useChannels(before !== undefined);
  const code = useAction('createBindCode');
  const isAnySetUp = channels.some(({ isConfigured }) => isConfigured);
  const take = () => code.mutate({ language }, { onError: sayError });
  const connect = () => {
    setBefore(new Set(mine.map(({ key }) => key)));
    take();
  };
  const close = () => {
    setBefore(undefined);
    code.reset();
  };
  const fresh = before && mine.find(({ key }) => !before.has(key));
  useCloseOnceBound(fresh, close);
  const button = (
    <Button
      look="primary"
      size="small"
      icon={<Link2 size={14} aria-hidden />}
      disabled={!isAnySetUp}
      isBusy={code.isPending}
      onClick={connect}
    >
      {words.connect}
    </Button>
  );
  return (
    <Section title={words.mine} about={words.mineAbout} actions={mine.length > 0 && button}>
      {mine.length > 0 ? (
        <Rows label={words.mine}>
          {mine.map(({ key, channel, binding }) => (
            <BindingRow key={key} channel={channel} binding={binding} />
          ))}
        </Rows>
      ) : (
        <Panel>
          <EmptyState icon={<MessagesSquare size={24} aria-hidden />} title={words.noneMine} action={button}>
            {words.noneMineAbout}
          </EmptyState>
        </Panel>
      )}
      {before !== undefined && code.data !== undefined && (
        <BindDialog given={code.data} isRenewing={code.isPending} onRenew={take} onClose={close} />
      )}
    </Section>
  );
}

/** The code has done what it was for: that is said, and it is put away. */
function useCloseOnceBound(fresh: BoundAccount | undefined, close: () => void): void {
  const words = channelsWords.use();
  const tell = useEffectEvent(() => {
    if (fresh === undefined) return;
    say(words.bound(fresh.binding.accountName, fresh.channel.title));
    close();
  });
  const key = fresh?.key;
  useEffect(() => {
    if (key !== undefined) tell();
  }, [key]);
}
