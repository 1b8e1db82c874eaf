import type { ChannelChat, ChannelInfo } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { Hash, User, Users } from 'lucide-react';
import { useAction } from '../../../api/calls.ts';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { Row } from '../shared/rows.tsx';
import { channelsWords } from './channels-words.ts';
import type { ListedChat } from './listed-chats.ts';

const TONES: Record<ChannelChat['state'], Tone> = { open: 'good', asked: 'warn', refused: 'neutral', closed: 'bad' };

interface ChatRowProps {
  channel: ChannelInfo;
  chat: ChannelChat;
  topics?: readonly ListedChat[];
}

/** A chat: what it shows, what is wrong with it, and for a group whether the bot may speak there. */
export function ChatRow({ channel, chat, topics = [] }: ChatRowProps) {
  const words = channelsWords.use();
  const { chatId, kind, state, problem } = chat;
  const title = chat.title ?? chatId;
  const decide = useAction('setChat', { changes: ['readChannels'] });
  const set = (isAllowed: boolean) =>
    decide.mutate({ channel: channel.name, chatId, isAllowed }, { onError: sayError });
  return (
    <Row
      icon={kind === 'group' ? <Users size={16} aria-hidden /> : <User size={16} aria-hidden />}
      title={title}
      marks={
        <>
          <Badge>{channel.title}</Badge>
          <ChatMarks chat={chat} />
        </>
      }
      about={
        <>
          <AboutChat chat={chat} />
          {problem !== undefined && <span className="block text-warn">{problem}</span>}
        </>
      }
      actions={
        kind === 'group' && (
          <>
            {state !== 'open' && (
              <Button
                size="small"
                {...(state === 'asked' && { look: 'primary' })}
                aria-label={words.allowLabel(title)}
                isBusy={decide.isPending}
                onClick={() => set(true)}
              >
                {words.allow}
              </Button>
            )}
            {state !== 'refused' && (
              <Button
                size="small"
                aria-label={words.refuseLabel(title)}
                isBusy={decide.isPending}
                onClick={() => set(false)}
              >
                {words.refuse}
              </Button>
            )}
          </>
        )
      }
    >
      {topics.length > 0 && <Topics label={words.topicsOf(title)} topics={topics} />}
    </Row>
  );
}

/** What an admin says of a group counts for its topics, so nothing is to be decided here. */
function Topics({ label, topics }: { label: string; topics: readonly ListedChat[] }) {
  return (
    <ul aria-label={label} className="mt-1 divide-y divide-line">
      {topics.map(({ key, chat }) => (
        <Row
          key={key}
          icon={<Hash size={14} aria-hidden />}
          title={chat.title ?? chat.chatId}
          marks={chat.isMuted && <ChatMarks chat={chat} />}
          about={<AboutChat chat={chat} />}
        />
      ))}
    </ul>
  );
}

/** How a chat is. In one with somebody whom the bot does not know nothing can be done. */
function ChatMarks({ chat: { state, isMuted, isConnected } }: { chat: ChannelChat }) {
  const words = channelsWords.use();
  return (
    <>
      {isConnected === false && state === 'open' ? (
        <Badge>{words.notConnected}</Badge>
      ) : (
        <Badge tone={TONES[state]}>{words.chatStates[state]}</Badge>
      )}
      {isMuted && <Badge>{words.muted}</Badge>}
    </>
  );
}

function AboutChat({ chat }: { chat: ChannelChat }) {
  return (
    <>
      <ShownSession chat={chat} />
      {' · '}
      <TimeAgo at={chat.updatedAt} />
    </>
  );
}

function ShownSession({ chat: { sessionId, sessionTitle } }: { chat: ChannelChat }) {
  const words = channelsWords.use();
  if (sessionId === undefined) return words.showsNothing;
  return (
    <>
      {words.shows}{' '}
      <Link
        to="/sessions/$sessionId"
        params={{ sessionId }}
        className="text-accent underline underline-offset-2 hover:text-accent-strong"
      >
        {sessionTitle ?? words.untitled}
      </Link>
    </>
  );
}
