import type { ApiRoute } from '../api/api-route.ts';

/** The calls about chats: what is set up, who is who, where the bots may speak. */
export const CHANNEL_ROUTES = {
  readChannels: {
    method: 'GET',
    path: '/api/channels',
    access: 'viewer',
    summary: 'Chat platforms: how they are, what to fill in, and which accounts and chats they know.',
  },
  checkChannel: {
    method: 'POST',
    path: '/api/channels/:channel/check',
    access: 'admin',
    summary: 'Looks at each thing a chat platform needs, and says what is missing.',
    slowMs: 30_000,
  },
  createBindCode: {
    method: 'POST',
    path: '/api/channels/bind-code',
    access: 'viewer',
    summary: 'A code that binds one chat account to the caller, once.',
  },
  removeBinding: {
    method: 'DELETE',
    path: '/api/channels/:channel/bindings/:accountId',
    access: 'viewer',
    summary: 'Unbinds a chat account: one’s own, or as an admin anybody’s.',
  },
  setChat: {
    method: 'PATCH',
    path: '/api/channels/:channel/chats/:chatId',
    access: 'admin',
    summary: 'Allows a group, or refuses it.',
  },
} as const satisfies Record<string, ApiRoute>;
