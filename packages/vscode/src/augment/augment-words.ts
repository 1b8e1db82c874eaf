import { defineWords } from '../words.ts';

/** What is said about the Augment extension. */
export const augmentWords = defineWords({
  en: {
    notInstalled: 'The Augment extension is not installed. Install it, then connect it.',
    tokenInLowerCase:
      'This server created a token with lowercase letters, which the Augment extension changes to uppercase. Update the server.',
    mayNotMakeToken: (url: string) =>
      `Your token for ${url} is view-only, so it can’t create one for the Augment extension. Ask for a token with the member role.`,
    overridden: (files: string) =>
      `The settings of this workspace already set where the Augment extension sends requests (augment.advanced in ${files}). Remove that first, then connect.`,
    takenAway: (files: string) =>
      `The Augment extension was disconnected and its token revoked, because ${files} redirects it away from your server (augment.advanced). If you didn’t add those lines, don’t trust this folder. After removing them, you can connect again.`,
    takenAwayNotRevoked: (files: string) =>
      `The Augment extension was disconnected, because ${files} redirects it away from your server (augment.advanced). The server did not answer, so the token is not revoked yet. It will be revoked when the server is back; every new window tries again. If you didn’t add those lines, don’t trust this folder. After removing them, you can connect again.`,
    notRevoked:
      'The server did not answer, so the token of the Augment extension is not revoked yet. It will be revoked when the server is back; every new window tries again.',
    notFollowed: (files: string) =>
      `The settings of this workspace try to redirect the Augment extension away from your server (augment.advanced in ${files}). They are ignored while the connection is kept in memory. If you didn’t add them, remove them.`,
    notInForce:
      'Another setting overrides what the Augment extension reads (a line “augment.advanced.…” or “augment” in your settings, or the settings of this machine or workspace). Your settings were restored. Remove that setting first, then connect.',
    workspace: 'the workspace file',
    openSettings: 'Open Workspace Settings',
    offerAgain: 'The Augment extension was disconnected because a workspace redirected it. Connect it again?',
    ask: 'Connect the Augment extension to your server?',
    askDetail: (url: string, token: string) =>
      `This sets two fields of the setting augment.advanced and keeps all others:\n\ncompletionURL: ${url}\napiToken: ${token}\n\nThe token was created for this connection; only its start is shown. It has the member role on this server: it can use the server, but not administer it. The setting is excluded from Settings Sync. “Disconnect” revokes the token and restores the previous values. Whether you use the Augment extension with your own server is your choice; see its terms.`,
    connect: 'Connect',
    inMemory: 'Keep the address out of my settings',
    connected: 'The Augment extension now uses your server. The setting is excluded from Settings Sync.',
    overlaid: 'The Augment extension will use your server. Your settings were not changed.',
    reloadNeeded: 'The Augment extension has already started. Reload the window so that it uses your server.',
    reloadToLeave: 'Reload the window so that the Augment extension reads your settings again.',
    reload: 'Reload Window',
    disconnected: 'Disconnected. Your settings were restored.',
    failed: (reason: string) => `That didn’t work: ${reason}`,
  },
  zh: {
    notInstalled: '没有安装 Augment 扩展。请先安装，再连接。',
    tokenInLowerCase: '这个服务器生成的令牌含有小写字母，而 Augment 扩展会把它变成大写。请更新服务器。',
    mayNotMakeToken: (url: string) =>
      `你在 ${url} 的令牌只能查看，无法为 Augment 扩展生成令牌。请索取一个角色为 member 的令牌。`,
    overridden: (files: string) =>
      `当前工作区的设置规定了 Augment 扩展把请求发往何处（${files} 中的 augment.advanced）。请先删除，再连接。`,
    takenAway: (files: string) =>
      `Augment 扩展已断开连接，其令牌已撤销，因为 ${files} 把它引离你的服务器（augment.advanced）。如果不是你写的，请不要信任这个文件夹。删除这些内容之后可以重新连接。`,
    takenAwayNotRevoked: (files: string) =>
      `Augment 扩展已断开连接，因为 ${files} 把它引离你的服务器（augment.advanced）。服务器没有回应，其令牌尚未撤销：服务器恢复后会立即撤销，每个新窗口也会再次尝试。如果这些内容不是你写的，请不要信任这个文件夹。删除之后可以重新连接。`,
    notRevoked: '服务器没有回应，Augment 扩展的令牌尚未撤销：服务器恢复后会立即撤销，每个新窗口也会再次尝试。',
    notFollowed: (files: string) =>
      `当前工作区的设置试图把 Augment 扩展引离你的服务器（${files} 中的 augment.advanced）。连接保存在内存中时会忽略它们。如果不是你写的，请删除。`,
    notInForce:
      '另一项设置覆盖了 Augment 扩展读取的值（你的设置中的“augment.advanced.…”或“augment”，或者本机或工作区的设置）。你的设置已恢复。请先删除那项设置，再连接。',
    workspace: '这个工作区的文件',
    openSettings: '打开工作区设置',
    offerAgain: '因为某个工作区把 Augment 扩展引向别处，它已断开连接。要重新连接吗？',
    ask: '让 Augment 扩展连接你的服务器？',
    askDetail: (url: string, token: string) =>
      `将写入设置 augment.advanced 的两个字段，其余保持不变：\n\ncompletionURL：${url}\napiToken：${token}\n\n该令牌专为此连接创建，这里只显示开头。它在这台服务器上的角色是 member：可以使用，不能管理。该设置不参与设置同步。“断开连接”会撤销令牌并恢复原来的值。是否让 Augment 扩展使用自己的服务器由你决定；请参阅其条款。`,
    connect: '连接',
    inMemory: '不把地址写入我的设置',
    connected: 'Augment 扩展现在使用你的服务器。该设置不参与设置同步。',
    overlaid: 'Augment 扩展将使用你的服务器；没有写入任何设置。',
    reloadNeeded: 'Augment 扩展已经启动。请重新加载窗口，使其使用你的服务器。',
    reloadToLeave: '请重新加载窗口，使 Augment 扩展重新读取你的设置。',
    reload: '重新加载窗口',
    disconnected: '已断开连接，你的设置已恢复。',
    failed: (reason: string) => `没有成功：${reason}`,
  },
});
