import { larkChannel } from '../lark/lark-channel.ts';
import { telegramChannel } from '../telegram/telegram-channel.ts';
import type { ChannelKind } from './channel.ts';

/** Every kind of channel there is, in the order in which people are shown them. What is heavy is loaded when one is opened. */
export const channelKinds: readonly ChannelKind[] = [telegramChannel, larkChannel];
