import type { Language } from '../channels/channel.ts';

interface SetupWords {
  /** What a person does, in order, as Markdown. */
  steps(hasPublicUrl: boolean): readonly string[];
  fields: Record<
    'token' | 'tokenHelp' | 'receive' | 'receiveHelp' | 'polling' | 'webhook' | 'apiUrl' | 'apiUrlHelp',
    string
  >;
  check: {
    token: string;
    tokenOk(name: string): string;
    tokenWrong: string;
    tokenFix: string;
    unreachable(reason: string): string;
    unreachableFix: string;
    receive: string;
    pollingOk(pending: number): string;
    webhookSet(host: string): string;
    webhookSetFix: string;
    webhookOk(pending: number): string;
    webhookMissing: string;
    webhookMissingFix: string;
    webhookError(message: string): string;
    webhookErrorFix: string;
    address: string;
    addressOk(url: string): string;
    addressMissing: string;
    addressFix: string;
    groups: string;
    groupsAll: string;
    groupsPrivacy: string;
    groupsPrivacyFix: string;
    groupsNo: string;
    groupsNoFix: string;
    topics: string;
    topicsOn: string;
    topicsOff: string;
    topicsFix: string;
  };
}

/** What is said about setting up a bot. */
export const SETUP_WORDS: Record<Language, SetupWords> = {
  en: {
    steps: (hasPublicUrl) => [
      'In Telegram, open a chat with [@BotFather](https://t.me/BotFather) and send `/newbot`.',
      'Give the bot a name, such as **Dragoman**, and then a user name that ends in `bot`, such as `ada_dragoman_bot`.',
      '@BotFather replies with a token like `123456789:AAE…`. Paste it into **Token** below.',
      hasPublicUrl
        ? 'Leave **Receive** on *polling*. You can also choose *webhook*, because this server has an https address that Telegram can reach. Press **Save and start**.'
        : 'Leave **Receive** on *polling*, which needs no public address. Press **Save and start**.',
      'Under **Your accounts**, press **Connect a chat account** and open the link. The bot now knows you: send it a task for the agent.',
      'To use it in a group: add the bot, post a message there, and allow the group under **Groups** here. People mention the bot or reply to it. To let it read all messages, send `/setprivacy` to @BotFather, choose the bot and *Disable*, then add the bot to the group again.',
      'To give each session its own topic: turn on *Topics* in the group settings and make the bot an administrator who can *manage topics*. For private chats, turn on *Threaded mode* for the bot in the @BotFather app.',
    ],
    fields: {
      token: 'Token',
      tokenHelp: 'The token from @BotFather. It is stored as a secret and never shown again.',
      receive: 'Receive',
      receiveHelp: 'polling needs no public address; webhook needs an https address in `server.publicUrl`.',
      polling: 'polling: this server asks Telegram for messages',
      webhook: 'webhook: Telegram sends messages to this server',
      apiUrl: 'Bot API server',
      apiUrlHelp: 'Only if you run your own Bot API server.',
    },
    check: {
      token: 'Token',
      tokenOk: (name) => `The token belongs to ${name}.`,
      tokenWrong: 'Telegram rejected this token.',
      tokenFix: 'Send `/mybots` to @BotFather, choose the bot and “API Token”, copy it, and paste it here.',
      unreachable: (reason) => `Telegram can’t be reached: ${reason}`,
      unreachableFix: 'Check that this machine can reach https://api.telegram.org through any firewall or proxy.',
      receive: 'Receiving messages',
      pollingOk: (pending) =>
        pending === 0 ? 'Polling works. No updates are waiting.' : `Polling works. Updates waiting: ${pending}.`,
      webhookSet: (host) => `Telegram sends messages to a webhook at ${host}, so polling receives nothing.`,
      webhookSetFix: 'Stop the other program that uses this bot, then save again here.',
      webhookOk: (pending) =>
        pending === 0
          ? 'Telegram sends messages to this server. No updates are waiting.'
          : `Telegram sends messages to this server. Updates waiting: ${pending}.`,
      webhookMissing: 'The webhook is not set yet.',
      webhookMissingFix: 'Save the settings again. If that doesn’t help, check the channel status above.',
      webhookError: (message) => `Telegram could not deliver messages: ${message}`,
      webhookErrorFix:
        'Check that this server can be reached from the internet over https, with a valid certificate, on port 443, 80, 88 or 8443.',
      address: 'Public address',
      addressOk: (url) => `Telegram sends messages to ${url}.`,
      addressMissing: '`server.publicUrl` is not set to an https address.',
      addressFix: 'Set `server.publicUrl` in dragoman.json to the https address of this server, or choose polling.',
      groups: 'Groups',
      groupsAll: 'The bot can be added to groups and reads all messages there.',
      groupsPrivacy:
        'The bot can be added to groups. It sees commands, mentions and replies there (privacy mode), which is enough.',
      groupsPrivacyFix:
        'To let it read all messages: send `/setprivacy` to @BotFather, choose the bot and *Disable*, then add it to the group again.',
      groupsNo: 'The bot can’t be added to groups.',
      groupsNoFix: 'To use it in groups: send `/setjoingroups` to @BotFather, choose the bot and *Enable*.',
      topics: 'Topics',
      topicsOn: 'In private chats, each session can have its own topic.',
      topicsOff: 'A private chat shows one session at a time; use `/switch` to change it. Groups with topics work.',
      topicsFix:
        'To use topics in private chats: open the @BotFather app, choose the bot, *Bot Settings*, *Threaded mode*.',
    },
  },
  zh: {
    steps: (hasPublicUrl) => [
      '在 Telegram 中打开与 [@BotFather](https://t.me/BotFather) 的聊天，发送 `/newbot`。',
      '给机器人起一个名字，例如 **Dragoman**，再起一个以 `bot` 结尾的用户名，例如 `ada_dragoman_bot`。',
      '@BotFather 会回复一个形如 `123456789:AAE…` 的令牌。把它粘贴到下面的**令牌**中。',
      hasPublicUrl
        ? '**接收方式**保持 *polling* 即可；本服务器有 Telegram 能访问的 https 地址，也可以选 *webhook*。然后点**保存并启动**。'
        : '**接收方式**保持 *polling*：不需要公网地址。然后点**保存并启动**。',
      '在**你的账号**下点**连接聊天账号**并打开链接。机器人就认识你了：把要智能体做的事发给它。',
      '用于群组：把机器人加入群组，在群里发一条消息，然后在这里的**群组**下允许它。大家提及机器人或回复它即可。要让它读取全部消息，向 @BotFather 发送 `/setprivacy`，选择机器人和 *Disable*，再把机器人重新加入群组。',
      '让每个会话有自己的话题：在群组设置中打开*话题*，并把机器人设为可以*管理话题*的管理员。用于私聊：在 @BotFather 的应用中为机器人打开 *Threaded mode*。',
    ],
    fields: {
      token: '令牌',
      tokenHelp: '@BotFather 给你的令牌。它作为机密保存，不会再次显示。',
      receive: '接收方式',
      receiveHelp: 'polling 不需要公网地址；webhook 需要把 `server.publicUrl` 设为 https 地址。',
      polling: 'polling：本服务器向 Telegram 获取消息',
      webhook: 'webhook：Telegram 把消息发给本服务器',
      apiUrl: 'Bot API 服务器',
      apiUrlHelp: '仅用于自建的 Bot API 服务器。',
    },
    check: {
      token: '令牌',
      tokenOk: (name) => `这是 ${name} 的令牌。`,
      tokenWrong: 'Telegram 拒绝了这个令牌。',
      tokenFix: '向 @BotFather 发送 `/mybots`，选择机器人和 “API Token”，复制后粘贴到这里。',
      unreachable: (reason) => `无法连接 Telegram：${reason}`,
      unreachableFix: '检查这台机器能否访问 https://api.telegram.org，包括防火墙和代理。',
      receive: '接收消息',
      pollingOk: (pending) =>
        pending === 0 ? 'polling 正常，没有等待的更新。' : `polling 正常，有 ${pending} 条更新在等待。`,
      webhookSet: (host) => `Telegram 把消息发到 ${host} 的 webhook，polling 收不到任何消息。`,
      webhookSetFix: '停止使用这个机器人的其他程序，然后在这里再保存一次。',
      webhookOk: (pending) =>
        pending === 0
          ? 'Telegram 把消息发给本服务器，没有等待的更新。'
          : `Telegram 把消息发给本服务器，有 ${pending} 条更新在等待。`,
      webhookMissing: '还没有设置 webhook。',
      webhookMissingFix: '再保存一次设置。如果没有解决，请查看上方的状态。',
      webhookError: (message) => `Telegram 无法送达消息：${message}`,
      webhookErrorFix: '请确认可以从互联网通过 https 访问本服务器，证书有效，端口为 443、80、88 或 8443。',
      address: '公网地址',
      addressOk: (url) => `Telegram 把消息发到 ${url}。`,
      addressMissing: '`server.publicUrl` 没有设为 https 地址。',
      addressFix: '在 dragoman.json 中把 `server.publicUrl` 设为本服务器的 https 地址，或选择 polling。',
      groups: '群组',
      groupsAll: '它可以加入群组，并读取那里的全部消息。',
      groupsPrivacy: '它可以加入群组。在群里它能看到命令、提及和对它的回复（隐私模式），这已足够。',
      groupsPrivacyFix:
        '要让它读取全部消息：向 @BotFather 发送 `/setprivacy`，选择机器人和 *Disable*，再把它重新加入群组。',
      groupsNo: '它不能加入群组。',
      groupsNoFix: '如果想在群组中使用：向 @BotFather 发送 `/setjoingroups`，选择机器人和 *Enable*。',
      topics: '话题',
      topicsOn: '在私聊中，每个会话都可以有自己的话题。',
      topicsOff: '私聊同时只显示一个会话；用 `/switch` 切换。带话题的群组可以使用话题。',
      topicsFix: '如果想在私聊中使用话题：打开 @BotFather 的应用，选择机器人，*Bot Settings*，*Threaded mode*。',
    },
  },
};
