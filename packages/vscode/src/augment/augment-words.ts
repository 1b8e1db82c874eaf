import { defineWords } from '../words.ts';

/** What is said about the Augment extension. */
export const augmentWords = defineWords({
  en: {
    notInstalled: 'The Augment extension is not installed here. Install it first, then connect it.',
    tokenInLowerCase:
      'The token of this server has small letters in it, which the Augment extension turns into capitals. Make one without them: dragoman token create',
    overridden:
      'The settings of this workspace say where the Augment extension sends what it is asked (augment.advanced). Remove that from the workspace first.',
    overriddenWarning:
      'The settings of this workspace lead the Augment extension away from your server (augment.advanced). If you did not write them, remove them.',
    ask: 'Connect the Augment extension to your server?',
    askDetail: (url: string, token: string) =>
      `Two fields of the setting augment.advanced will be written, all others stay:\n\ncompletionURL: ${url}\napiToken: ${token}\n\nThe token only opens your own server on this machine. “Disconnect” puts back what was there. Whether to use the Augment extension with a server of your own is your choice; see its terms.`,
    connect: 'Connect',
    connectNotSynced: 'Connect, keep out of Settings Sync',
    inMemory: 'Keep the address out of my settings',
    connected: 'The Augment extension now asks your server.',
    connectedNotSynced: 'The Augment extension now asks your server. The setting stays out of Settings Sync.',
    overlaid: 'The Augment extension will ask your server; nothing was written to your settings.',
    reloadNeeded: 'The Augment extension has already started. Reload the window so that it asks your server.',
    reloadToLeave: 'Reload the window so that the Augment extension reads your settings again.',
    reload: 'Reload Window',
    disconnected: 'Everything is as it was: the settings that were changed have been put back.',
    failed: (reason: string) => `That did not work: ${reason}`,
  },
  zh: {
    notInstalled: '这里没有安装 Augment 扩展。请先安装，再连接。',
    tokenInLowerCase:
      '这个服务器的令牌含有小写字母，而 Augment 扩展会把它变成大写。请创建一个不含小写字母的令牌：dragoman token create',
    overridden: '当前工作区的设置规定了 Augment 扩展把请求发往何处（augment.advanced）。请先从工作区设置中删除。',
    overriddenWarning: '当前工作区的设置让 Augment 扩展离开你的服务器（augment.advanced）。如果不是你写的，请删除。',
    ask: '让 Augment 扩展连接你的服务器？',
    askDetail: (url: string, token: string) =>
      `将写入设置 augment.advanced 的两个字段，其余保持不变：\n\ncompletionURL：${url}\napiToken：${token}\n\n该令牌只能打开你本机的服务器。“断开连接”会恢复原来的值。是否让 Augment 扩展使用自己的服务器由你决定；请参阅其条款。`,
    connect: '连接',
    connectNotSynced: '连接，不参与设置同步',
    inMemory: '不把地址写入我的设置',
    connected: 'Augment 扩展现在使用你的服务器。',
    connectedNotSynced: 'Augment 扩展现在使用你的服务器。该设置不参与设置同步。',
    overlaid: 'Augment 扩展将使用你的服务器；没有写入任何设置。',
    reloadNeeded: 'Augment 扩展已经启动。请重新加载窗口，使其使用你的服务器。',
    reloadToLeave: '请重新加载窗口，使 Augment 扩展重新读取你的设置。',
    reload: '重新加载窗口',
    disconnected: '一切恢复原样：改动过的设置已恢复。',
    failed: (reason: string) => `没有成功：${reason}`,
  },
});
