import type { ChannelInfo } from '@dragoman/protocol';
import { ExternalLink, MessageCircle, Trash2 } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { Failure } from '../../../design/failure.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Spinner } from '../../../design/spinner.tsx';
import { say, sayError } from '../../../design/toasts.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useLanguage } from '../../../words/language.ts';
import { settingsWords } from '../settings-words.ts';
import { Row } from '../shared/rows.tsx';
import { useRemoveNamed } from '../shared/use-remove-named.ts';
import { namedIn, type EditedSettings } from '../shared/use-settings.ts';
import { ChannelDialog } from './channel-dialog.tsx';
import { StateAbout, StateBadge } from './channel-state.tsx';
import { channelsWords } from './channels-words.ts';
import { CheckSteps } from './check-steps.tsx';
import { useChannels } from './use-channels.ts';

/** A platform as everybody sees it: how it is, and its bot. */
export function SeenChannel({ channel }: { channel: ChannelInfo }) {
  return <Row {...aboutChannel(channel)} />;
}

/** The same for who sets it up: with its settings, and a check of each thing it needs. */
export function ChannelRow({ channel, edited }: { channel: ChannelInfo; edited: EditedSettings }) {
  const words = channelsWords.use();
  const shared = settingsWords.use();
  const common = useCommonWords();
  const language = useLanguage();
  const { name, title, state, isConfigured } = channel;
  const [isEditing, setEditing] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [saved, setSaved] = useState<{ before: number | undefined }>();
  const check = useAction('checkChannel', { changes: ['readChannels'] });
  const remove = useRemoveNamed('channels');
  const runCheck = useEffectEvent(() =>
    check.mutate({ channel: name, language }, { onSettled: () => setSaved(undefined) }),
  );
  // Who has just filled something in wants to know whether it works, as soon as the bot runs with it.
  const isUp = state.type !== 'off' && state.type !== 'starting';
  const isUpWithIt = saved !== undefined && isUp && state.since !== saved.before;
  useChannels(saved !== undefined);
  useEffect(() => {
    if (isUpWithIt) runCheck();
  }, [isUpWithIt]);
  const open = () => {
    edited.forgetError();
    setEditing(true);
  };
  return (
    <Row
      {...aboutChannel(channel)}
      actions={
        isConfigured ? (
          <>
            <Button
              size="small"
              aria-label={words.checkLabel(title)}
              isBusy={check.isPending}
              onClick={() => check.mutate({ channel: name, language })}
            >
              {words.check}
            </Button>
            <Button size="small" aria-label={words.settingsLabel(title)} onClick={open}>
              {words.settings}
            </Button>
            <IconButton
              label={words.removeLabel(title)}
              icon={<Trash2 size={14} aria-hidden />}
              onClick={() => setRemoving(true)}
            />
          </>
        ) : (
          <Button size="small" look="primary" aria-label={words.setUpLabel(title)} onClick={open}>
            {words.setUp}
          </Button>
        )
      }
    >
      {isConfigured && (
        <div className="mt-2 empty:hidden">
          {check.isPending ? (
            <p role="status" className="flex items-center gap-2 text-sm text-soft">
              <Spinner />
              {words.checking}
            </p>
          ) : check.error !== null ? (
            <Failure error={check.error} />
          ) : (
            check.data !== undefined && <CheckSteps title={title} steps={check.data.steps} />
          )}
        </div>
      )}
      {isEditing && (
        <ChannelDialog
          channel={channel}
          edited={edited}
          onClose={() => setEditing(false)}
          onSaved={() => {
            check.reset();
            setSaved({ before: state.since });
          }}
        />
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        isBusy={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { name, setting: namedIn(edited.settings, 'channels')[name] },
            {
              onSuccess() {
                setRemoving(false);
                check.reset();
                say(shared.removed);
              },
              onError: sayError,
            },
          )
        }
        title={words.removeTitle(title)}
        confirm={common.remove}
      >
        {words.removeAbout}
      </Confirm>
    </Row>
  );
}

function aboutChannel(channel: ChannelInfo) {
  return {
    icon: <MessageCircle size={16} aria-hidden />,
    title: channel.title,
    marks: <StateBadge state={channel.state} />,
    about: (
      <>
        <StateAbout state={channel.state} minutes={channel.minutes} />
        {channel.bot !== undefined && <Bot bot={channel.bot} />}
      </>
    ),
  };
}

function Bot({ bot: { name, link } }: { bot: NonNullable<ChannelInfo['bot']> }) {
  const words = channelsWords.use();
  return (
    <span className="block">
      {words.bot}{' '}
      {link === undefined ? (
        <span className="text-soft">{name}</span>
      ) : (
        <a
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1 text-accent underline underline-offset-2"
        >
          {name}
          <ExternalLink size={11} aria-hidden />
        </a>
      )}
    </span>
  );
}
