import { defineWords } from '../words.ts';

/** What is said about the Augment extension. */
export const augmentWords = defineWords({
  en: {
    notInstalled: 'The Augment extension is not installed here. Install it first, then connect it.',
    tokenInLowerCase:
      'The token that this server made has small letters in it, which the Augment extension turns into capitals. Update the server.',
    mayNotMakeToken: (url: string) =>
      `Your token at ${url} may only look, so it can make none for the Augment extension. Ask for one with the role member.`,
    overridden: (files: string) =>
      `The settings of this workspace say where the Augment extension sends what it is asked (augment.advanced in ${files}). Remove that first, then connect.`,
    takenAway: (files: string) =>
      `The Augment extension was disconnected and its token revoked, because ${files} leads it away from your server (augment.advanced). If you did not write that, do not trust this folder. Once those lines are gone, you can connect again.`,
    takenAwayNotRevoked: (files: string) =>
      `The Augment extension was disconnected, because ${files} leads it away from your server (augment.advanced). The server did not answer, so its token is not revoked yet: that is done as soon as the server is back, and tried again in every new window. If you did not write those lines, do not trust this folder. Once they are gone, you can connect again.`,
    notRevoked:
      'The server did not answer, so the token of the Augment extension is not revoked yet: that is done as soon as the server is back, and tried again in every new window.',
    notFollowed: (files: string) =>
      `The settings of this workspace would lead the Augment extension away from your server (augment.advanced in ${files}). They are not followed while the address is kept in memory. If you did not write them, remove them.`,
    notInForce:
      'Something else in your settings changes what the Augment extension reads (a line “augment.advanced.…” or “augment” beside the setting, or the settings of this machine or workspace). What was written has been taken out again. Remove that first, then connect.',
    workspace: 'the file of this workspace',
    openSettings: 'Open Workspace Settings',
    offerAgain: 'The Augment extension was disconnected because a workspace led it elsewhere. Connect it again?',
    ask: 'Connect the Augment extension to your server?',
    askDetail: (url: string, token: string) =>
      `Two fields of the setting augment.advanced will be written, all others stay:\n\ncompletionURL: ${url}\napiToken: ${token}\n\nThe token was made for this and is shown by its beginning. It opens the server at this address with the role member: to use it, not to administer it. The setting stays out of Settings Sync. “Disconnect” revokes the token and puts back what was there. Whether to use the Augment extension with a server of your own is your choice; see its terms.`,
    connect: 'Connect',
    inMemory: 'Keep the address out of my settings',
    connected: 'The Augment extension now asks your server. The setting stays out of Settings Sync.',
    overlaid: 'The Augment extension will ask your server; nothing was written to your settings.',
    reloadNeeded: 'The Augment extension has already started. Reload the window so that it asks your server.',
    reloadToLeave: 'Reload the window so that the Augment extension reads your settings again.',
    reload: 'Reload Window',
    disconnected: 'Everything is as it was: the settings that were changed have been put back.',
    failed: (reason: string) => `That did not work: ${reason}`,
  },
  zh: {
    notInstalled: '这里没有安装 Augment 扩展。请先安装，再连接。',
    tokenInLowerCase: '这个服务器生成的令牌含有小写字母，而 Augment 扩展会把它变成大写。请更新服务器。',
    mayNotMakeToken: (url: string) =>
      `你在 ${url} 的令牌只能查看，无法为 Augment 扩展生成令牌。请索取一个角色为 member 的令牌。`,
    overridden: (files: string) =>
      `当前工作区的设置规定了 Augment 扩展把请求发往何处（${files} 中的 augment.advanced）。请先删除，再连接。`,
    takenAway: (files: string) =>
      `Augment 扩展已断开连接，其令牌已撤销，因为 ${files} 让它离开你的服务器（augment.advanced）。如果不是你写的，请不要信任这个文件夹。删除这些内容之后可以重新连接。`,
    takenAwayNotRevoked: (files: string) =>
      `Augment 扩展已断开连接，因为 ${files} 让它离开你的服务器（augment.advanced）。服务器没有回应，其令牌尚未撤销：服务器恢复后会立即撤销，每个新窗口也会再次尝试。如果这些内容不是你写的，请不要信任这个文件夹。删除之后可以重新连接。`,
    notRevoked: '服务器没有回应，Augment 扩展的令牌尚未撤销：服务器恢复后会立即撤销，每个新窗口也会再次尝试。',
    notFollowed: (files: string) =>
      `当前工作区的设置想让 Augment 扩展离开你的服务器（${files} 中的 augment.advanced）。地址保存在内存中时不会采用。如果不是你写的，请删除。`,
    notInForce:
      '你的设置里另有内容改变了 Augment 扩展读到的值（该设置旁边的“augment.advanced.…”或“augment”，或者本机或工作区的设置）。写入的内容已撤回。请先删除它，再连接。',
    workspace: '这个工作区的文件',
    openSettings: '打开工作区设置',
    offerAgain: '因为某个工作区把 Augment 扩展引向别处，它已断开连接。要重新连接吗？',
    ask: '让 Augment 扩展连接你的服务器？',
    askDetail: (url: string, token: string) =>
      `将写入设置 augment.advanced 的两个字段，其余保持不变：\n\ncompletionURL：${url}\napiToken：${token}\n\n该令牌专为此生成，这里只显示开头。它以 member 角色打开此地址的服务器：可以使用，不能管理。该设置不参与设置同步。“断开连接”会撤销令牌并恢复原来的值。是否让 Augment 扩展使用自己的服务器由你决定；请参阅其条款。`,
    connect: '连接',
    inMemory: '不把地址写入我的设置',
    connected: 'Augment 扩展现在使用你的服务器。该设置不参与设置同步。',
    overlaid: 'Augment 扩展将使用你的服务器；没有写入任何设置。',
    reloadNeeded: 'Augment 扩展已经启动。请重新加载窗口，使其使用你的服务器。',
    reloadToLeave: '请重新加载窗口，使 Augment 扩展重新读取你的设置。',
    reload: '重新加载窗口',
    disconnected: '一切恢复原样：改动过的设置已恢复。',
    failed: (reason: string) => `没有成功：${reason}`,
  },
});
