import type { ChannelInfo } from '@dragoman/protocol';
import { useCall } from '../../../api/calls.ts';
import { useLanguage } from '../../../words/language.ts';

const USUAL_MS = 15_000;
const SOON_MS = 3_000;

/** Every chat platform as it is; asked more often while somebody waits for something to change. */
export function useChannels(isWaiting = false): {
  channels: readonly ChannelInfo[] | undefined;
  error: Error | null;
  retry: () => void;
} {
  const language = useLanguage();
  const { data, error, refetch } = useCall(
    'readChannels',
    { language },
    {
      keepsPrevious: true,
      everyMs(answer) {
        const isStarting = answer?.channels.some(({ state }) => state.type === 'starting') === true;
        return isWaiting || isStarting ? SOON_MS : USUAL_MS;
      },
    },
  );
  // What was seen stays in sight while the server cannot be asked; that it cannot is said elsewhere.
  return { channels: data?.channels, error: data === undefined ? error : null, retry: () => void refetch() };
}
