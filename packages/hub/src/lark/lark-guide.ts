import type { ChannelField, Language } from '../channels/channel.ts';

/** Without these the bot cannot do its work. */
export const SCOPES = [
  'im:message',
  'im:message:send_as_bot',
  'im:message.p2p_msg:readonly',
  'im:message.group_at_msg:readonly',
  'im:resource',
  'cardkit:card:write',
] as const;

/** With these it also knows the names of people and groups, and can say which scopes are missing. */
const NICE_SCOPES = ['contact:user.base:readonly', 'im:chat:readonly', 'application:application:self_manage'] as const;

/** What the developer console takes under "Batch import". */
const SCOPES_JSON = JSON.stringify({ scopes: { tenant: [...SCOPES, ...NICE_SCOPES], user: [] } }, null, 2);

/** The step with which the form is saved; the others need a server that is connected. */
const SAVED_AT = 4;
/** About how long that takes. */
const MINUTES = 5;

/** Where Lark is to post events and callbacks. */
export function webhookUrl(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/u, '')}/channels/lark`;
}

/** What a person clicks, in order, and what to fill in. */
export function larkGuide(
  language: Language,
  publicUrl: string | undefined,
): { steps: readonly string[]; fields: readonly ChannelField[]; savedAt: number; minutes: number } {
  return {
    ...(language === 'zh' ? chineseGuide(publicUrl) : englishGuide(publicUrl)),
    savedAt: SAVED_AT,
    minutes: MINUTES,
  };
}

function englishGuide(publicUrl: string | undefined) {
  const url = publicUrl === undefined ? 'https://<your address>/channels/lark' : webhookUrl(publicUrl);
  return {
    steps: [
      'Open the developer console (https://open.feishu.cn/app for Feishu, https://open.larksuite.com/app for Lark) and click "Create custom app". Give it a name and an icon.',
      'In the app, open "Add features" and click "Add" next to "Bot".',
      `Open "Permissions & Scopes", click "Batch import/export scopes", paste this, and confirm (the last three are optional: they show names instead of ids and let this page name missing scopes):\n\n\`\`\`json\n${SCOPES_JSON}\n\`\`\``,
      'Open "Credentials & Basic Info", copy the App ID and App Secret into the form here, and press **Save and start**. The server now connects, which the developer console checks in the next step.',
      `Open "Events & callbacks" → "Event configuration" → "Subscription mode": choose "Receive events through persistent connection" and save. (Or "Send to developer's server" with ${url}; then first set an Encrypt Key under "Encryption strategy" and fill in the two keys here.)`,
      'There, click "Add events" and add `im.message.receive_v1` (Receive messages), `im.chat.member.bot.added_v1` (Bot added to group) and `im.chat.member.bot.deleted_v1` (Bot removed from group).',
      'On the tab "Callback configuration" choose the same mode, click "Add callbacks" and add `card.action.trigger` (Card action). Without it, buttons do nothing.',
      'Open "Version Management & Release", click "Create a version", set the availability to the people who may use the bot, save and publish. An admin may have to approve it.',
      'In Feishu or Lark, search for the bot by name and open a chat with it. Under **Your accounts** here, press **Connect a chat account** and send the bot the code. The bot now knows you.',
    ],
    fields: fields({
      domain: 'Platform',
      feishu: 'Feishu (feishu.cn)',
      lark: 'Lark (larksuite.com)',
      receive: 'How events arrive',
      connection: 'Long connection (no public address needed)',
      webhook: `Webhook (${url})`,
      idHelp: 'From "Credentials & Basic Info".',
      keyHelp: 'Only for the webhook: from "Events & callbacks" → "Encryption strategy".',
    }),
  };
}

function chineseGuide(publicUrl: string | undefined) {
  const url = publicUrl === undefined ? 'https://<你的地址>/channels/lark' : webhookUrl(publicUrl);
  return {
    steps: [
      '打开开发者后台（飞书：https://open.feishu.cn/app；Lark：https://open.larksuite.com/app），点击「创建企业自建应用」，填写名称并上传图标。',
      '在应用中打开「添加应用能力」，在「机器人」处点击「添加」。',
      `打开「权限管理」，点击「批量导入/导出权限」，粘贴以下内容并确认（最后三项可选：用于显示姓名、群名，以及在此页面指出缺少的权限）：\n\n\`\`\`json\n${SCOPES_JSON}\n\`\`\``,
      '打开「凭证与基础信息」，把 App ID 和 App Secret 复制到这里的表单，然后点**保存并启动**。服务器此时会建立连接，开发者后台会在下一步检查它。',
      `打开「事件与回调」→「事件配置」→「订阅方式」：选择「使用长连接接收事件」并保存。（或选择「将事件发送至开发者服务器」，填写 ${url}；此时须先在「加密策略」设置 Encrypt Key，并在这里填写两个密钥。）`,
      '在同一页点击「添加事件」，添加 `im.message.receive_v1`（接收消息）、`im.chat.member.bot.added_v1`（机器人进群）和 `im.chat.member.bot.deleted_v1`（机器人被移出群）。',
      '在「回调配置」页签选择同样的方式，点击「添加回调」，添加 `card.action.trigger`（卡片回传交互）。没有它，按钮不会有反应。',
      '打开「版本管理与发布」，点击「创建版本」，把可用范围设为允许使用机器人的人，保存并申请发布。可能需要管理员审核。',
      '在飞书或 Lark 中搜索机器人的名称并打开与它的聊天。在这里的**你的账号**下点**连接聊天账号**，把代码发给它，机器人就认识你了。',
    ],
    fields: fields({
      domain: '平台',
      feishu: '飞书（feishu.cn）',
      lark: 'Lark（larksuite.com）',
      receive: '事件接收方式',
      connection: '长连接（不需要公网地址）',
      webhook: `Webhook（${url}）`,
      idHelp: '见「凭证与基础信息」。',
      keyHelp: '仅用于 Webhook：见「事件与回调」→「加密策略」。',
    }),
  };
}

function fields(
  words: Record<'domain' | 'feishu' | 'lark' | 'receive' | 'connection' | 'webhook' | 'idHelp' | 'keyHelp', string>,
): ChannelField[] {
  return [
    { name: 'appId', label: 'App ID', kind: 'text', placeholder: 'cli_…', help: words.idHelp, isRequired: true },
    { name: 'appSecret', label: 'App Secret', kind: 'secret', help: words.idHelp, isRequired: true },
    {
      name: 'domain',
      label: words.domain,
      kind: 'choice',
      choices: [
        { value: 'feishu', label: words.feishu },
        { value: 'lark', label: words.lark },
      ],
      isRequired: false,
    },
    {
      name: 'receive',
      label: words.receive,
      kind: 'choice',
      choices: [
        { value: 'connection', label: words.connection },
        { value: 'webhook', label: words.webhook },
      ],
      isRequired: false,
    },
    { name: 'encryptKey', label: 'Encrypt Key', kind: 'secret', help: words.keyHelp, isRequired: false },
    { name: 'verificationToken', label: 'Verification Token', kind: 'secret', help: words.keyHelp, isRequired: false },
  ];
}
