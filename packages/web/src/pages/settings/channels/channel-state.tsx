import type { ChannelInfo } from '@dragoman/protocol';
import { Badge, type Tone } from '../../../design/badge.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { channelsWords } from './channels-words.ts';

type State = ChannelInfo['state'];

const TONES: Record<State['type'], Tone> = {
  off: 'neutral',
  starting: 'busy',
  on: 'good',
  trouble: 'warn',
  failed: 'bad',
};

/** How a platform is, in a word. */
export function StateBadge({ state }: { state: State }) {
  const words = channelsWords.use();
  return <Badge tone={TONES[state.type]}>{words.states[state.type]}</Badge>;
}

/** The same in a sentence: since when, why, and what that means. */
export function StateAbout({
  state: { type, reason, since },
  minutes,
}: {
  state: State;
  minutes?: number | undefined;
}) {
  const words = channelsWords.use();
  const isBad = type === 'trouble' || type === 'failed';
  return (
    <>
      {type === 'off' && minutes !== undefined ? words.takes(minutes) : words.stateAbout[type]}
      {since !== undefined && type !== 'off' && (
        <>
          {' · '}
          {words.since} <TimeAgo at={since} />
        </>
      )}
      {isBad && reason !== undefined && (
        <span className={type === 'failed' ? 'block text-bad' : 'block text-warn'}>{reason}</span>
      )}
    </>
  );
}
