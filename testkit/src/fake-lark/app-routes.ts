import type { ConnectionPool } from './connection-pool.ts';
import { LarkRefusal, refuse } from './lark-refusal.ts';
import type { LarkCall } from './lark-calls.ts';
import type { LarkAnswer, LarkRoute } from './lark-server.ts';
import type { LarkState } from './lark-state.ts';

/** Tokens, the bot itself, chats and people, and the way to the long connection. */
export function appRoutes(state: LarkState, pool: ConnectionPool): LarkRoute[] {
  const token =
    (field: string) =>
    (call: LarkCall): LarkAnswer => {
      if (state.access.isDisabled) refuse(99991662, 'app not in use: the app is disabled');
      // These two answer with HTTP 200 and a code.
      if (call.body['app_id'] !== state.appId) throw new LarkRefusal(200, 10003, 'invalid param');
      if (call.body['app_secret'] !== state.access.secret) throw new LarkRefusal(200, 10014, 'app secret invalid');
      const { value, expire } = state.access.giveToken();
      return { json: { code: 0, msg: 'ok', [field]: value, expire } };
    };
  return [
    { endpoint: 'POST auth/v3/tenant_access_token/internal', isOpen: true, run: token('tenant_access_token') },
    { endpoint: 'POST auth/v3/app_access_token/internal', isOpen: true, run: token('app_access_token') },
    {
      endpoint: 'GET bot/v3/info',
      run: () => ({
        json: {
          code: 0,
          msg: 'ok',
          bot: {
            activate_status: 2,
            app_name: state.bot.name,
            avatar_url: '',
            ip_white_list: [],
            open_id: state.bot.openId,
          },
        },
      }),
    },
    {
      endpoint: 'GET application/v6/scopes',
      run: () =>
        ok({
          scopes: [...state.scopes].map((scope) => ({ scope_name: scope, scope_type: 'tenant', grant_status: 1 })),
        }),
    },
    {
      endpoint: 'GET im/v1/chats/:chat_id',
      scopes: ['im:chat:readonly', 'im:chat'],
      run(call) {
        const chat = state.chats.get(call.params['chat_id']!);
        if (chat === undefined) refuse(232006, 'Your request specifies a chat_id which is invalid.');
        if (!chat.hasBot) refuse(232011, 'Operator can NOT be out of the chat.');
        return ok({
          name: chat.name,
          chat_mode: chat.kind,
          chat_type: 'private',
          chat_status: 'normal',
          tenant_key: state.tenantKey,
          user_count: String(chat.members.size),
        });
      },
    },
    {
      endpoint: 'GET contact/v3/users/:user_id',
      scopes: ['contact:user.base:readonly', 'contact:contact:readonly'],
      run(call) {
        const user = state.users.get(call.params['user_id']!);
        if (user === undefined) refuse(41012, 'user id invalid error');
        return ok({ user: { open_id: user.openId, union_id: user.unionId, user_id: user.userId, name: user.name } });
      },
    },
    {
      // Refused with HTTP 200: the SDK reads `code`, and gives up for good on most of them.
      endpoint: 'POST /callback/ws/endpoint',
      isOpen: true,
      run(call) {
        const isApp = call.body['AppID'] === state.appId && call.body['AppSecret'] === state.access.secret;
        if (!isApp || state.access.isDisabled) return { json: { code: 514, msg: 'auth failed', data: {} } };
        if (pool.size >= 50) return { json: { code: 1000040350, msg: 'exceed max connections', data: {} } };
        return ok({ URL: pool.invite(), ClientConfig: pool.clientConfig });
      },
    },
  ];
}

/** What a call that succeeded answers. */
export function ok(data: Record<string, unknown> = {}): LarkAnswer {
  return { json: { code: 0, msg: 'success', data } };
}
