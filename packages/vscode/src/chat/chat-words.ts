import { defineWords } from '../words.ts';

/** What is said in and about the editor's chat. */
export const chatWords = defineWords({
  en: {
    ask: 'Use your models in VS Code chat?',
    askDetail:
      'The chat asks for a GitHub account unless the setting chat.allowAnonymousAccess is on. This turns it on in your settings.json and also sends titles and other small tasks to your server (chat.utilityModel, chat.utilitySmallModel). When you choose one of your models, your prompts go to your own server and from there to your provider. When you choose another company’s model, they go to that company. With this setting, the chat shows GitHub’s terms: read them. “Disconnect” restores your settings.',
    allow: 'Turn On and Open Chat',
    starting: 'Starting your Dragoman server…',
    notAllowed: (reason: string) =>
      `If the chat asks for an account, add this line to your settings.json: "chat.allowAnonymousAccess": true. It could not be written: ${reason}`,
    servedBy: (targets: string) => `Served by ${targets}`,
    ownServer: 'Your own Dragoman server',
    offline: 'Works without a key or a network',
    brokeOff: 'The answer was cut off. Try again. See the server log for details.',
    silent: (seconds: number) =>
      `The server sent nothing for ${seconds} seconds, so the request was cancelled. Try again.`,
    badToolInput: (name: string) =>
      `The model called the tool ${name} with invalid JSON. Try again, or choose another model.`,
    mcpLabel: 'Dragoman',
    mcpNoServer: (reason: string) => `Code search needs the Dragoman server, which did not start: ${reason}`,
  },
  zh: {
    ask: '在 VS Code 聊天中使用你的模型？',
    askDetail:
      '除非打开设置 chat.allowAnonymousAccess，否则聊天会要求登录 GitHub 账号。这会在你的 settings.json 中打开它，并把标题等小任务也交给你的服务器（chat.utilityModel、chat.utilitySmallModel）。选用你的模型时，提示词发往你自己的服务器，再由它发往你的模型服务；选用其他公司的模型时，提示词发往那家公司。打开该设置后，编辑器会在聊天中显示 GitHub 的条款，请阅读。“断开连接”会恢复这些设置。',
    allow: '打开并进入聊天',
    starting: '正在启动 Dragoman 服务器…',
    notAllowed: (reason: string) =>
      `如果聊天要求登录账号，请在 settings.json 中加入这一行："chat.allowAnonymousAccess": true。无法写入：${reason}`,
    servedBy: (targets: string) => `由 ${targets} 提供`,
    ownServer: '你自己的 Dragoman 服务器',
    offline: '无需密钥、无需网络即可回答',
    brokeOff: '回答中断了。请重试；详情见服务器日志。',
    silent: (seconds: number) => `服务器 ${seconds} 秒没有响应，请求已取消。请重试。`,
    badToolInput: (name: string) => `模型调用工具 ${name} 时给出了无效的 JSON。请重试，或换一个模型。`,
    mcpLabel: 'Dragoman',
    mcpNoServer: (reason: string) => `代码搜索需要 Dragoman 服务器，但它没有启动：${reason}`,
  },
});
