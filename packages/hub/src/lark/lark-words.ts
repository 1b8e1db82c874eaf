import type { Language } from '../channels/channel.ts';
import type { ImageProblem } from './image-keys.ts';

/** What is said about the set-up of the bot, and at once after a press that takes long. */
export interface LarkWords {
  working: string;
  credentials: string;
  bot: string;
  scopes: string;
  cards: string;
  events: string;
  keys: string;
  address: string;
  credentialsOk(appId: string): string;
  credentialsFix: string;
  botOk(name: string): string;
  botOff: string;
  botFix: string;
  scopesOk: string;
  scopesMissing(scopes: string): string;
  scopesUnknown: string;
  scopesFix: string;
  cardsOk: string;
  cardsFix: string;
  connectionUp(minutes: number): string;
  connectionSilent: string;
  connectionDown: string;
  connectionElsewhere: string;
  connectionFix: string;
  webhookHeard(minutes: number): string;
  webhookNever: string;
  webhookUnverified(count: number): string;
  webhookFix(url: string): string;
  keysOk: string;
  keysMissing(names: string): string;
  keysFix: string;
  addressOk(url: string): string;
  addressMissing: string;
  addressFix: string;
  unreachable(reason: string): string;
  /** Why an image is not in a card. */
  imageProblems: Record<ImageProblem, string>;
}

/** In both languages. */
export const WORDS: Record<Language, LarkWords> = {
  en: {
    working: 'Working on it…',
    credentials: 'App ID and App Secret',
    bot: 'Bot',
    scopes: 'Scopes',
    cards: 'Cards',
    events: 'Events and callbacks',
    keys: 'Encrypt Key and Verification Token',
    address: 'Public address',
    credentialsOk: (appId) => `Lark accepts the credentials of app ${appId}.`,
    credentialsFix:
      'Developer console → your app → "Credentials & Basic Info": copy the App ID and App Secret, and choose Feishu or Lark to match.',
    botOk: (name) => `The bot "${name}" is turned on.`,
    botOff: 'The app has no bot, or the bot is not turned on yet.',
    botFix:
      'Developer console → "Add features" → "Bot" → "Add"; then "Version Management & Release" → create a version and publish it.',
    scopesOk: 'All scopes are granted.',
    scopesMissing: (scopes) => `Not granted: ${scopes}.`,
    scopesUnknown: 'Could not read the scopes of the app from Lark.',
    scopesFix:
      'Developer console → "Permissions & Scopes" → "Batch import" → paste the JSON from the guide; then publish a version.',
    cardsOk: 'Cards can be created.',
    cardsFix: 'Developer console → "Permissions & Scopes" → add cardkit:card:write; then publish a version.',
    connectionUp: (minutes) => `The long connection is open. The last event arrived ${minutes} min ago.`,
    connectionSilent:
      'The long connection is open, but no event has arrived yet. Send the bot a message. If it doesn’t reply, follow the steps below.',
    connectionDown: 'The long connection is not open.',
    connectionElsewhere: 'Another process of this server has the long connection.',
    connectionFix:
      'Developer console → "Events & callbacks": choose "Receive events through persistent connection" on both tabs; add the events im.message.receive_v1, im.chat.member.bot.added_v1 and im.chat.member.bot.deleted_v1, and the callback card.action.trigger; then publish a version.',
    webhookHeard: (minutes) => `The last event arrived ${minutes} min ago.`,
    webhookNever: 'This process has received no events yet.',
    webhookUnverified: (count) => `Requests that failed verification: ${count}. The last one:`,
    webhookFix: (url) =>
      `Developer console → "Events & callbacks": enter ${url} as the request URL on both tabs; add the events im.message.receive_v1, im.chat.member.bot.added_v1 and im.chat.member.bot.deleted_v1, and the callback card.action.trigger; publish a version and send the bot a message.`,
    keysOk: 'Both are set.',
    keysMissing: (names) => `Missing: ${names}. Without both, every request is refused.`,
    keysFix:
      'Developer console → "Events & callbacks" → "Encryption strategy": set an Encrypt Key, and copy it and the Verification Token.',
    addressOk: (url) => `Lark should send events to ${url}.`,
    addressMissing: 'This server has no public address.',
    addressFix:
      'Set server.publicUrl in dragoman.json to an https address that Lark can reach, or choose the long connection, which needs no address.',
    unreachable: (reason) => `Lark can’t be reached. ${reason}`,
    imageProblems: {
      later: 'not uploaded yet; retrying',
      failed: 'upload failed; see it in the console',
      scope: 'the bot can’t upload it: the scope im:resource is missing',
      refused: 'Lark rejected it; see it in the console',
      gone: 'no longer available',
    },
  },
  zh: {
    working: '正在处理…',
    credentials: 'App ID 和 App Secret',
    bot: '机器人',
    scopes: '权限',
    cards: '卡片',
    events: '事件与回调',
    keys: 'Encrypt Key 和 Verification Token',
    address: '公网地址',
    credentialsOk: (appId) => `应用 ${appId} 的凭证有效。`,
    credentialsFix:
      '开发者后台 → 你的应用 →「凭证与基础信息」：复制 App ID 和 App Secret，并选择对应的平台（飞书或 Lark）。',
    botOk: (name) => `机器人名为“${name}”，已启用。`,
    botOff: '应用还没有机器人能力，或机器人尚未启用。',
    botFix: '开发者后台 →「添加应用能力」→「机器人」→「添加」；然后在「版本管理与发布」创建版本并发布。',
    scopesOk: '所需权限均已开通。',
    scopesMissing: (scopes) => `未开通：${scopes}。`,
    scopesUnknown: '无法从飞书得知应用有哪些权限。',
    scopesFix: '开发者后台 →「权限管理」→「批量导入」→ 粘贴指南中的 JSON；然后发布新版本。',
    cardsOk: '可以创建卡片。',
    cardsFix: '开发者后台 →「权限管理」→ 开通 cardkit:card:write；然后发布新版本。',
    connectionUp: (minutes) => `长连接已建立；最近一次事件在 ${minutes} 分钟前。`,
    connectionSilent: '长连接已建立，但还没有收到过事件：给机器人发一条消息，如果没有回应，请看下面的步骤。',
    connectionDown: '长连接未建立。',
    connectionElsewhere: '长连接由本服务的另一个进程持有。',
    connectionFix:
      '开发者后台 →「事件与回调」：在两个页签中都选择「使用长连接接收」；添加事件 im.message.receive_v1、im.chat.member.bot.added_v1、im.chat.member.bot.deleted_v1 和回调 card.action.trigger；然后发布新版本。',
    webhookHeard: (minutes) => `最近一次事件在 ${minutes} 分钟前。`,
    webhookNever: '本进程还没有收到过事件。',
    webhookUnverified: (count) => `无法验证的请求：${count} 次。最近一次：`,
    webhookFix: (url) =>
      `开发者后台 →「事件与回调」：在两个页签中都填写请求地址 ${url}；添加事件 im.message.receive_v1、im.chat.member.bot.added_v1、im.chat.member.bot.deleted_v1 和回调 card.action.trigger；发布新版本，然后给机器人发一条消息。`,
    keysOk: '均已设置。',
    keysMissing: (names) => `缺少：${names}。缺少任何一个，所有请求都会被拒绝。`,
    keysFix: '开发者后台 →「事件与回调」→「加密策略」：设置 Encrypt Key，并复制它和 Verification Token。',
    addressOk: (url) => `飞书应把事件发到 ${url}。`,
    addressMissing: '本服务没有公网地址。',
    addressFix: '在 dragoman.json 中把 server.publicUrl 设为飞书能访问的 https 地址，或选择不需要公网地址的长连接。',
    unreachable: (reason) => `无法连接飞书。${reason}`,
    imageProblems: {
      later: '尚未上传，稍后重试',
      failed: '上传失败，请在控制台查看',
      scope: '机器人无法上传：缺少权限 im:resource',
      refused: '飞书不接受这张图片，请在控制台查看',
      gone: '已不存在',
    },
  },
};
