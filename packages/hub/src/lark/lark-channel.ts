import type { ChannelKind } from '../channels/channel.ts';
import type { LarkSettings } from './lark-config.ts';
import { larkGuide } from './lark-guide.ts';

/** Lark, and Feishu, which is the same in China. The SDK is large and is loaded when a bot is opened. */
export const larkChannel: ChannelKind<LarkSettings> = {
  name: 'lark',
  title: 'Lark / 飞书',
  guide: larkGuide,
  async open(settings, host) {
    const { openLark } = await import('./open-lark.ts');
    return await openLark(settings, host);
  },
};
