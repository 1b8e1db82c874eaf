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
      '@BotFather answers with a token like `123456789:AAE…`. Copy it, and paste it into **Token** below.',
      hasPublicUrl
        ? 'Leave **Receive** at *polling*, or choose *webhook*: this server has an https address that Telegram can call. Press **Save and start**.'
        : 'Leave **Receive** at *polling*: it needs no address on the internet. Press **Save and start**.',
      'Under **Your accounts**, press **Connect a chat account** and open the link: the bot knows you from then on. Write to it what the agent should do.',
      'For a group: add the bot to it, write something there, and allow the group under **Groups** here. People mention the bot or answer it. To have it read everything, send `/setprivacy` to @BotFather, choose the bot and *Disable*, then add the bot to the group anew.',
      'For a topic per session: switch on *Topics* in the settings of the group and make the bot an administrator that may *manage topics*. For a chat with one person, switch on *Threaded mode* for the bot in the app of @BotFather.',
    ],
    fields: {
      token: 'Token',
      tokenHelp: 'What @BotFather gave you. It is kept as a secret and never shown again.',
      receive: 'Receive',
      receiveHelp: 'polling needs no public address; webhook needs `server.publicUrl` with https.',
      polling: 'polling: this server asks Telegram',
      webhook: 'webhook: Telegram calls this server',
      apiUrl: 'Bot API server',
      apiUrlHelp: 'Only for a Bot API server of your own.',
    },
    check: {
      token: 'Token',
      tokenOk: (name) => `It is the token of ${name}.`,
      tokenWrong: 'Telegram does not know this token.',
      tokenFix: 'Send `/mybots` to @BotFather, choose the bot and “API Token”, copy it, and paste it here.',
      unreachable: (reason) => `Telegram could not be asked: ${reason}`,
      unreachableFix: 'Look whether this machine reaches https://api.telegram.org, also through a firewall or proxy.',
      receive: 'Receiving messages',
      pollingOk: (pending) => (pending === 0 ? 'By polling; nothing waits.' : `By polling; ${pending} updates wait.`),
      webhookSet: (host) => `Telegram sends the messages to a webhook at ${host}, so polling hears nothing.`,
      webhookSetFix: 'Stop the other program that uses this bot; then save here once more.',
      webhookOk: (pending) =>
        pending === 0
          ? 'Telegram calls this server; nothing waits.'
          : `Telegram calls this server; ${pending} updates wait.`,
      webhookMissing: 'Telegram does not know yet where to call.',
      webhookMissingFix: 'Save the settings once more. If it stays so, look at the state of the channel above.',
      webhookError: (message) => `Telegram could not deliver: ${message}`,
      webhookErrorFix:
        'Open the address of this server from outside: it needs https with a valid certificate, on port 443, 80, 88 or 8443.',
      address: 'Public address',
      addressOk: (url) => `Telegram calls ${url}.`,
      addressMissing: 'There is no `server.publicUrl` with https.',
      addressFix: 'Set `server.publicUrl` in dragoman.json to the https address of this server, or choose polling.',
      groups: 'Groups',
      groupsAll: 'It can be added to groups, and reads everything there.',
      groupsPrivacy:
        'It can be added to groups. There it sees commands, mentions and answers to it (privacy mode), which is enough.',
      groupsPrivacyFix:
        'To have it read everything: `/setprivacy` at @BotFather, choose the bot, *Disable*, then add it to the group anew.',
      groupsNo: 'It cannot be added to groups.',
      groupsNoFix: 'If you want it in groups: `/setjoingroups` at @BotFather, choose the bot, *Enable*.',
      topics: 'Topics',
      topicsOn: 'In private chats every session can have a topic of its own.',
      topicsOff: 'In private chats there is one session at a time; `/switch` changes it. Groups with topics work.',
      topicsFix:
        'If you want topics in private chats: open the app of @BotFather, choose the bot, *Bot Settings*, *Threaded mode*.',
    },
  },
  zh: {
    steps: (hasPublicUrl) => [
      '在 Telegram 中打开与 [@BotFather](https://t.me/BotFather) 的聊天，发送 `/newbot`。',
      '给机器人起一个名字，例如 **Dragoman**，再起一个以 `bot` 结尾的用户名，例如 `ada_dragoman_bot`。',
      '@BotFather 会回复一个形如 `123456789:AAE…` 的令牌。复制它，粘贴到下面的**令牌**中。',
      hasPublicUrl
        ? '**接收方式**保持 *polling* 即可；本服务器有 Telegram 能访问的 https 地址，也可以选 *webhook*。然后点**保存并启动**。'
        : '**接收方式**保持 *polling*：不需要公网地址。然后点**保存并启动**。',
      '在**你的账号**下点**连接聊天账号**并打开链接：此后机器人就认识你了。把要智能体做的事写给它。',
      '用于群组：把机器人加入群组，在群里说句话，然后在这里的**群组**下允许它。大家提及机器人或回复它即可。要让它读取全部消息，向 @BotFather 发送 `/setprivacy`，选择机器人和 *Disable*，再把机器人重新加入群组。',
      '让每个会话有自己的话题：在群组设置中打开*话题*，并把机器人设为可以*管理话题*的管理员。用于私聊：在 @BotFather 的应用中为机器人打开 *Threaded mode*。',
    ],
    fields: {
      token: '令牌',
      tokenHelp: '@BotFather 给你的令牌。它作为机密保存，不会再次显示。',
      receive: '接收方式',
      receiveHelp: 'polling 不需要公网地址；webhook 需要带 https 的 `server.publicUrl`。',
      polling: 'polling：本服务器询问 Telegram',
      webhook: 'webhook：Telegram 调用本服务器',
      apiUrl: 'Bot API 服务器',
      apiUrlHelp: '仅用于自建的 Bot API 服务器。',
    },
    check: {
      token: '令牌',
      tokenOk: (name) => `这是 ${name} 的令牌。`,
      tokenWrong: 'Telegram 不认识这个令牌。',
      tokenFix: '向 @BotFather 发送 `/mybots`，选择机器人和 “API Token”，复制后粘贴到这里。',
      unreachable: (reason) => `无法询问 Telegram：${reason}`,
      unreachableFix: '检查这台机器能否访问 https://api.telegram.org，包括防火墙和代理。',
      receive: '接收消息',
      pollingOk: (pending) =>
        pending === 0 ? '通过 polling；没有等待的更新。' : `通过 polling；有 ${pending} 条更新在等待。`,
      webhookSet: (host) => `Telegram 把消息发到 ${host} 的 webhook，polling 收不到任何消息。`,
      webhookSetFix: '停止使用这个机器人的其他程序，然后在这里再保存一次。',
      webhookOk: (pending) =>
        pending === 0
          ? 'Telegram 会调用本服务器；没有等待的更新。'
          : `Telegram 会调用本服务器；有 ${pending} 条更新在等待。`,
      webhookMissing: 'Telegram 还不知道要调用哪里。',
      webhookMissingFix: '再保存一次设置。如果仍然如此，请看上方的频道状态。',
      webhookError: (message) => `Telegram 无法送达：${message}`,
      webhookErrorFix: '从外部打开本服务器的地址：需要有效证书的 https，端口为 443、80、88 或 8443。',
      address: '公网地址',
      addressOk: (url) => `Telegram 会调用 ${url}。`,
      addressMissing: '没有带 https 的 `server.publicUrl`。',
      addressFix: '在 dragoman.json 中把 `server.publicUrl` 设为本服务器的 https 地址，或选择 polling。',
      groups: '群组',
      groupsAll: '它可以加入群组，并读取那里的全部消息。',
      groupsPrivacy: '它可以加入群组。在群里它能看到命令、提及和对它的回复（隐私模式），这已足够。',
      groupsPrivacyFix: '要让它读取全部消息：在 @BotFather 处 `/setprivacy`，选择机器人，*Disable*，再重新加入群组。',
      groupsNo: '它不能加入群组。',
      groupsNoFix: '如果想在群组中使用：在 @BotFather 处 `/setjoingroups`，选择机器人，*Enable*。',
      topics: '话题',
      topicsOn: '在私聊中，每个会话都可以有自己的话题。',
      topicsOff: '在私聊中同时只有一个会话；用 `/switch` 切换。带话题的群组可以使用。',
      topicsFix: '如果想在私聊中使用话题：打开 @BotFather 的应用，选择机器人，*Bot Settings*，*Threaded mode*。',
    },
  },
};
