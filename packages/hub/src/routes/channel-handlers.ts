import { type ChannelChat, type ChannelInfo, DragomanError, isRoleAtLeast } from '@dragoman/protocol';
import { type AccessTables, type Caller, makerOf } from '@dragoman/server/base';
import type { ChannelField, Language } from '../channels/channel.ts';
import type { Channels } from '../channels/open-channels.ts';
import { createBindCode } from '../channels/people/bind-code.ts';
import { listBindings, unbindAccount } from '../channels/people/bindings.ts';
import {
  allowGroup,
  chatsOfGroup,
  findChat,
  findListed,
  listChats,
  type ListedChat,
} from '../channels/people/chat-store.ts';
import { COMMAND_NAMES } from '../channels/commands/command-names.ts';
import { PEOPLE_WORDS } from '../channels/people/people-words.ts';
import { addNote } from '../channels/post-store.ts';
import type { HubParts } from '../hub-parts.ts';
import type { HubEngine } from './hub-engine.ts';
import type { HubHandlers } from './hub-plugin.ts';
import { readCall } from './read-call.ts';

type Names = 'readChannels' | 'checkChannel' | 'createBindCode' | 'removeBinding' | 'setChat';
type ListedChannel = ReturnType<Channels['list']>[number];

const CHECK_MS = 30_000;

/** Chats: what is set up, who is who, and where the bots may speak. */
export function channelHandlers({ parts }: HubEngine): Pick<HubHandlers, Names> {
  const { db, now } = parts;
  return {
    async readChannels(request) {
      const { caller, query } = readCall('readChannels', request);
      const channels = [];
      for (const listed of parts.channels?.list() ?? [])
        channels.push(await toInfo(parts, caller, listed, query.language ?? 'en'));
      return { channels };
    },
    async checkChannel(request) {
      const { params, body } = readCall('checkChannel', request);
      const { kind, channel, isConfigured } = findChannel(parts, params.channel);
      if (!isConfigured)
        throw new DragomanError('conflict', `${kind.title} is not set up yet; fill in its settings first.`);
      if (channel === undefined) {
        const { reason = 'it is not open yet' } = (await parts.channels?.stateOf(kind.name)) ?? {};
        throw new DragomanError('unavailable', `${kind.title} cannot be checked: ${reason}.`, { isRetryable: true });
      }
      parts.channels?.expectSetup(kind.name);
      return { steps: await withinTime(kind.title, channel.check(body.language)) };
    },
    async createBindCode(request) {
      const { caller, body } = readCall('createBindCode', request);
      const maker = await makerOf(db.withTables<Pick<AccessTables, 'tokens'>>(), caller);
      const { code, expiresAt } = await createBindCode(
        db,
        { userId: caller.userId, madeBy: maker?.id, ...body },
        now(),
      );
      const say = `/${COMMAND_NAMES.bind[body.language][0]} ${code}`;
      const open = (parts.channels?.list() ?? []).filter(({ isConfigured }) => isConfigured);
      const ways = open.map(({ kind, channel }) => {
        const bot = channel?.bot();
        const link = bot?.bindLink?.(code) ?? bot?.link;
        return {
          channel: kind.name,
          title: kind.title,
          say,
          ...(bot !== undefined && { bot: bot.name }),
          ...(link !== undefined && { link }),
        };
      });
      return { code, expiresAt, ways };
    },
    async removeBinding(request) {
      const { caller, params } = readCall('removeBinding', request);
      const binding = (await listBindings(db, params.channel)).find(({ accountId }) => accountId === params.accountId);
      // Those of others are as good as not there.
      if (binding === undefined || (binding.userId !== caller.userId && !isRoleAtLeast(caller.role, 'admin')))
        throw new DragomanError(
          'not-found',
          `You have no account ${JSON.stringify(params.accountId.slice(0, 100))} there; GET /api/channels lists them.`,
        );
      await unbindAccount(db, params, now());
      await wakePrivateChats(parts, params);
      return {};
    },
    async setChat(request) {
      const { params, body } = readCall('setChat', request);
      const chat = await findChat(db, params);
      if (chat === undefined)
        throw new DragomanError(
          'not-found',
          `There is no chat ${JSON.stringify(params.chatId.slice(0, 100))}; GET /api/channels lists them.`,
        );
      if (chat.kind === 'private')
        throw new DragomanError('bad-request', 'chatId: only groups are allowed or refused; unbind a person instead.');
      await allowGroup(db, params, body.isAllowed, now());
      if (body.isAllowed && chat.state !== 'open')
        await addNote(db, params, { text: PEOPLE_WORDS[chat.language].groupAllowed }, now());
      for (const chatId of await chatsOfGroup(db, params)) parts.channels?.wake(params.channel, chatId);
      return toChat((await findListed(db, params))!);
    },
  };
}

function findChannel({ channels }: HubParts, name: string): ListedChannel {
  const found = channels?.list().find(({ kind }) => kind.name === name);
  if (found !== undefined) return found;
  throw new DragomanError(
    'not-found',
    `There is no chat platform ${JSON.stringify(name.slice(0, 40))}; GET /api/channels lists them.`,
  );
}

async function toInfo(
  parts: HubParts,
  caller: Caller,
  { kind, channel, isConfigured }: ListedChannel,
  language: Language,
): Promise<ChannelInfo> {
  const isAdmin = isRoleAtLeast(caller.role, 'admin');
  const { steps, fields, savedAt, minutes } = kind.guide(language, parts.config().server?.publicUrl);
  const bot = channel?.bot();
  const bindings = await listBindings(parts.db, kind.name);
  const settings = settingsOf(parts, kind.name);
  return {
    name: kind.name,
    title: kind.title,
    isConfigured,
    state: await parts.channels!.stateOf(kind.name),
    ...(bot !== undefined && { bot: { name: bot.name, ...(bot.link !== undefined && { link: bot.link }) } }),
    guide: [...steps],
    ...(savedAt !== undefined && { savedAt }),
    ...(minutes !== undefined && { minutes }),
    fields: isAdmin ? fields.map((field) => toField(field, settings?.[field.name])) : [],
    bindings: bindings
      .filter(({ userId }) => isAdmin || userId === caller.userId)
      .map(({ userId, ...binding }) => ({ ...binding, isMine: userId === caller.userId })),
    chats: isAdmin
      ? (await listChats(parts.db, kind.name)).map((row) => ({ ...toChat(row), ...ofPerson(row, bindings) }))
      : [],
  };
}

function settingsOf({ config }: HubParts, name: string): Readonly<Record<string, unknown>> | undefined {
  const channels = config().channels as Readonly<Record<string, unknown>> | undefined;
  return channels?.[name] as Readonly<Record<string, unknown>> | undefined;
}

/** What is set is told, unless it is a secret: of that only that it is set. */
function toField({ choices, ...field }: ChannelField, value: unknown): ChannelInfo['fields'][number] {
  const isShown = field.kind !== 'secret' && (typeof value === 'string' || typeof value === 'number');
  return {
    ...field,
    ...(choices !== undefined && { choices: [...choices] }),
    isSet: value !== undefined,
    ...(isShown && { value: String(value) }),
  };
}

function toChat(row: ListedChat): ChannelChat {
  return {
    chatId: row.chat_id,
    kind: row.kind,
    ...(row.title !== null && { title: row.title }),
    state: row.state,
    ...(row.problem !== null && { problem: row.problem }),
    ...(row.session_id !== null && { sessionId: row.session_id }),
    ...(row.session_title !== null && { sessionTitle: row.session_title }),
    isMuted: row.is_muted === 1,
    updatedAt: row.updated_at,
  };
}

/** Whether anybody is known behind a private chat. */
function ofPerson({ kind, account_id }: ListedChat, bindings: readonly { accountId: string }[]) {
  return kind === 'private' ? { isConnected: bindings.some(({ accountId }) => accountId === account_id) } : {};
}

/** What they showed is shown no more. */
async function wakePrivateChats(
  { db, channels }: HubParts,
  { channel, accountId }: { channel: string; accountId: string },
): Promise<void> {
  const rows = await db
    .selectFrom('hub_chats')
    .select('chat_id')
    .where('channel', '=', channel)
    .where('account_id', '=', accountId)
    .execute();
  for (const row of rows) channels?.wake(channel, row.chat_id);
}

async function withinTime<Result>(title: string, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const tooLate = () =>
    late.reject(new DragomanError('timed-out', `${title} did not answer within ${CHECK_MS / 1000} seconds.`));
  const timer = setTimeout(tooLate, CHECK_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
