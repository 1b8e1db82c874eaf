import { defineWords } from '../words.ts';

/** What is said in and about the editor's chat. */
export const chatWords = defineWords({
  en: {
    ask: 'Use your models in VS Code’s chat?',
    askDetail:
      'The chat asks for a GitHub account unless the setting chat.allowAnonymousAccess is on. It will be turned on by a line in your settings.json, and titles and other small tasks will go to your server too (chat.utilityModel, chat.utilitySmallModel). While one of your models is chosen, what you ask goes to your own server, and from there to the provider you chose; a model of somebody else goes to them. With this setting the editor shows GitHub’s terms in its chat: read them. “Disconnect” puts the settings back.',
    allow: 'Turn On and Open Chat',
    starting: 'Starting your Dragoman server…',
    notAllowed: (reason: string) =>
      `If the chat asks for an account, add this line to your settings.json: "chat.allowAnonymousAccess": true. It could not be written: ${reason}`,
    servedBy: (targets: string) => `Served by ${targets}`,
    ownServer: 'Your own Dragoman server',
    offline: 'Answers without a key and without a network',
    brokeOff: 'The answer broke off. Ask again; the log of the server says more.',
    silent: (seconds: number) =>
      `Nothing came from the server for ${seconds} seconds, so the call was ended. Ask again.`,
    badToolInput: (name: string) =>
      `The model called the tool ${name} with something that is not JSON. Ask again, or choose another model.`,
    mcpLabel: 'Dragoman',
    mcpNoServer: (reason: string) => `The code search needs the Dragoman server, which did not start: ${reason}`,
  },
  zh: {
    ask: '在 VS Code 聊天中使用你的模型？',
    askDetail:
      '除非打开设置 chat.allowAnonymousAccess，否则聊天会要求登录 GitHub 账号。将在你的 settings.json 中写入一行来打开它，标题等小任务也会交给你的服务器（chat.utilityModel、chat.utilitySmallModel）。选用你的模型时，提问发往自己的服务器，再由它发往你选择的服务商；选用别家的模型则发往别家。打开该设置后，编辑器会在聊天中显示 GitHub 的条款，请阅读。“断开连接”会恢复这些设置。',
    allow: '打开并进入聊天',
    starting: '正在启动 Dragoman 服务器…',
    notAllowed: (reason: string) =>
      `如果聊天要求登录账号，请在 settings.json 中加入这一行："chat.allowAnonymousAccess": true。无法写入：${reason}`,
    servedBy: (targets: string) => `由 ${targets} 提供`,
    ownServer: '你自己的 Dragoman 服务器',
    offline: '无需密钥、无需网络即可回答',
    brokeOff: '回答中断了。请重新提问；服务器日志里有更多信息。',
    silent: (seconds: number) => `服务器 ${seconds} 秒没有任何响应，调用已结束。请重新提问。`,
    badToolInput: (name: string) => `模型调用工具 ${name} 时给出的不是 JSON。请重新提问，或换一个模型。`,
    mcpLabel: 'Dragoman',
    mcpNoServer: (reason: string) => `代码搜索需要 Dragoman 服务器，但它没有启动：${reason}`,
  },
});
