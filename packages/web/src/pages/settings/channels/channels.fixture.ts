import type { ChannelChat, ChannelInfo } from '@dragoman/protocol';

/** A chat platform that is set up, as an admin is told of it. */
export function channelInfo(given: Partial<ChannelInfo> = {}): ChannelInfo {
  return {
    name: 'slate',
    title: 'Slate',
    isConfigured: true,
    state: { type: 'on', since: 0 },
    guide: ['Open **Slate**.', 'Copy the token.'],
    fields: [
      { name: 'token', label: 'Token', kind: 'secret', isRequired: true, isSet: true },
      {
        name: 'receive',
        label: 'How it hears',
        kind: 'choice',
        choices: [
          { value: 'polling', label: 'It asks' },
          { value: 'webhook', label: 'It is told' },
        ],
        isRequired: false,
        isSet: false,
      },
      { name: 'apiUrl', label: 'Base URL', kind: 'text', isRequired: false, isSet: true, value: 'http://slate.test' },
      { name: 'key', label: 'Key', kind: 'secret', isRequired: false, isSet: true },
    ],
    bindings: [],
    chats: [],
    ...given,
  };
}

/** A group of that platform. */
export function group(given: Partial<ChannelChat> & { chatId: string }): ChannelChat {
  return { kind: 'group', title: given.chatId, state: 'open', isMuted: false, updatedAt: 0, ...given };
}
