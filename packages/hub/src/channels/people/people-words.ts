import type { Role } from '@dragoman/protocol';
import type { Language } from '../channel.ts';

/** What people are told about themselves, their chats and their prompts. Names and titles come in as Markdown. */
export interface PeopleWords {
  howToBind: (console: string) => string;
  console: (link: string) => string;
  consolePlain: string;
  bound: (user: string, role: string) => string;
  boundBefore: (user: string) => string;
  boundWhileViewer: string;
  wrongCode: (left: number) => string;
  noMoreCodes: string;
  codeInGroup: string;
  groupAsks: (console: string) => string;
  groupAllowed: string;
  groupStranger: (console: string) => string;
  roles: Record<Role, string>;
  needsRole: (role: string) => string;
  nobody: string;
  failed: (reason: string) => string;
  unexpected: string;
  pressStranger: string;
  pressClosed: string;
  pressOld: string;
  pressLater: string;
  pressDone: string;
  decidedBefore: (decision: string) => string;
  answerMissing: string;
  wordsNotTaken: string;
  decision: {
    by: (what: string, who: string) => string;
    who: (name: string, channel: string) => string;
    withWords: (what: string, words: string) => string;
    rejected: string;
  };
  queuedNext: string;
  queuedStart: string;
  queuedBehind: (count: number) => string;
  machineAway: (machine: string) => string;
  withdraw: string;
  switched: (title: string) => string;
  startedAgain: (agent: string, folder: string, machine: string) => string;
  elsewhere: string;
  choosePlace: string;
  choosePlaceFiles: string;
  noPlace: string;
  connectMachine: string;
  readOnly: string;
  machineOwn: (machine: string, owner: string) => string;
  lastPlaceFailed: (reason: string) => string;
  fileProblem: (name: string, reason: string) => string;
  fileEmpty: string;
  fileTooLarge: (size: string, limit: string) => string;
  filesTooLarge: (limit: string) => string;
  filesTooMany: (limit: number) => string;
  imagesNotTaken: (agent: string) => string;
  filesNotTaken: (agent: string) => string;
  voiceOff: string;
  voiceEmpty: string;
  left: string;
  editUnheard: string;
}

const en: PeopleWords = {
  howToBind: (console) =>
    `I don’t know you yet. Open **Settings → Channels** in ${console}, choose **Connect a chat account**, and send me the code from there, such as \`/bind 7K2M-Q4XN\`.`,
  console: (link) => `[the console](${link})`,
  consolePlain: 'the console',
  bound: (user, role) =>
    `This account is **${user}** now (${role}). Write what an agent should do, or \`/sessions\` to see what there is; \`/help\` lists the commands.`,
  boundBefore: (user) => `You are connected already, as **${user}**.`,
  boundWhileViewer: 'You can read along. To send prompts and answer approvals, you need the member role.',
  wrongCode: (left) =>
    `That code is not right, was used before, or is too old: codes are good for 10 minutes, and once. Get a new one in the console. ${left === 1 ? 'One try is' : `${left} tries are`} left.`,
  noMoreCodes: 'Too many wrong codes. Try again in an hour with a new code.',
  codeInGroup:
    'Others can read that code here, so it no longer works. Get a new one in the console and send it to me in private.',
  groupAsks: (console) =>
    `I may not speak in this group yet. An admin can allow it in **Settings → Channels** of ${console}.`,
  groupAllowed: 'An admin has allowed this group. I listen to people whose account is connected; `/help` says how.',
  groupStranger: (console) =>
    `I don’t know you yet. Connect your account first: **Settings → Channels** in ${console}, and send me the code in private.`,
  roles: { viewer: 'viewer', member: 'member', admin: 'admin' },
  needsRole: (role) => `You may not do this: it needs the role of ${role}. An admin can change yours in the console.`,
  nobody: 'This account is no longer linked to anyone.',
  failed: (reason) => `That did not work: ${reason}`,
  unexpected: 'That did not work, and it is not your fault. Try again; the log of the server says more.',
  pressStranger: 'I don’t know you yet. Connect your account in the console: Settings → Channels.',
  pressClosed: 'I may not act in this chat.',
  pressOld: 'This button is out of date.',
  pressLater: 'Working on it…',
  pressDone: 'OK',
  decidedBefore: (decision) => `Already answered: ${decision}`,
  answerMissing: 'Enter an answer first.',
  wordsNotTaken:
    'The agent takes no words alone here. Press a button, or answer with `/approve`, or with `/deny` and the reason.',
  decision: {
    by: (what, who) => `${what}, by ${who}`,
    who: (name, channel) => `${name} (${channel})`,
    withWords: (what, words) => `${what} (“${words}”)`,
    rejected: 'Denied',
  },
  queuedNext: 'Queued until the current turn ends.',
  queuedStart: 'Queued until the agent has started.',
  queuedBehind: (count) => `Queued: ${count} ${count === 1 ? 'prompt is' : 'prompts are'} before it.`,
  machineAway: (machine) => `${machine} is offline. Your prompt is queued until it reconnects.`,
  withdraw: 'Remove from queue',
  switched: (title) => `That was about **${title}**; this chat shows it now.`,
  startedAgain: (agent, folder, machine) =>
    `A new session of **${agent}** in **${folder}** on **${machine}**, where you worked last.`,
  elsewhere: 'Another one…',
  choosePlace: 'Which agent should do it, and where?',
  choosePlaceFiles: 'What you attached is not kept; send it again in the new session.',
  noPlace: 'There is no agent you may use.',
  connectMachine: 'Connect a machine of your own: `dragoman runner --hub URL --token TOKEN`.',
  readOnly: 'You have view-only access here.',
  machineOwn: (machine, owner) =>
    `The machine **${machine}** is **${owner}**’s own; with \`"runner": { "isShared": true }\` in its \`dragoman.json\` every member may use it.`,
  lastPlaceFailed: (reason) => `It could not be started where you worked last: ${reason}`,
  fileProblem: (name, reason) => `**${name}** did not go along: ${reason}`,
  fileEmpty: 'it is empty.',
  fileTooLarge: (size, limit) => `it has ${size}, and the limit is ${limit}.`,
  filesTooLarge: (limit) => `all files of a prompt together may have ${limit}.`,
  filesTooMany: (limit) => `a prompt takes ${limit} files at most.`,
  imagesNotTaken: (agent) => `the agent ${agent} takes no images.`,
  filesNotTaken: (agent) => `the agent ${agent} takes no files.`,
  voiceOff:
    'nothing is set up to write voice messages down. An admin names a model for it in `dragoman.json`: `"channels": { "transcription": "openai/whisper-1" }`.',
  voiceEmpty: 'no words were heard in it.',
  left: 'The bot was removed or blocked.',
  editUnheard: 'What you change in a message does not reach the agent. Send it again.',
};

const zh: PeopleWords = {
  howToBind: (console) =>
    `我还不认识你。请在${console}中打开 **设置 → 聊天**，点 **连接聊天账号**，再把那里的代码发给我，例如 \`/绑定 7K2M-Q4XN\`。`,
  console: (link) => `[控制台](${link})`,
  consolePlain: '控制台',
  bound: (user, role) =>
    `这个账号现在是 **${user}**（${role}）。直接写下要智能体做的事，或发送 \`/会话\` 查看已有的会话；\`/帮助\` 列出所有命令。`,
  boundBefore: (user) => `你已经连接，用户是 **${user}**。`,
  boundWhileViewer: '你可以阅读；要发送提示和处理审批，需要成员角色。',
  wrongCode: (left) =>
    `代码不对、已被使用或已过期：代码 10 分钟内有效，且只能用一次。请在控制台重新获取。还可以再试 ${left} 次。`,
  noMoreCodes: '错误的代码太多了。一小时内我不再检查这个账号发来的代码，之后请重新获取。',
  codeInGroup: '这里的其他人能看到这个代码，它已作废。请在控制台重新获取，并私下发给我。',
  groupAsks: (console) => `我还不能在这个群组中说话。管理员可以在${console}的 **设置 → 聊天** 中允许。`,
  groupAllowed: '管理员已允许这个群组。我只听已连接账号的人说话；发送 `/帮助` 查看用法。',
  groupStranger: (console) => `我还不认识你。请先连接账号：在${console}中打开 **设置 → 聊天**，再把代码私下发给我。`,
  roles: { viewer: '访客', member: '成员', admin: '管理员' },
  needsRole: (role) => `你没有权限这样做：需要${role}角色。管理员可以在控制台中修改你的角色。`,
  nobody: '这个账号已不属于任何人。',
  failed: (reason) => `没有成功：${reason}`,
  unexpected: '没有成功，这不是你的问题。请重试；服务器的日志中有更多信息。',
  pressStranger: '我还不认识你。请在控制台中连接账号：设置 → 聊天。',
  pressClosed: '我不能在这个聊天中操作。',
  pressOld: '这个按钮已过时。',
  pressLater: '正在处理…',
  pressDone: '好的',
  decidedBefore: (decision) => `已经决定过了：${decision}`,
  answerMissing: '请先写下回答。',
  wordsNotTaken: '智能体在这里不接受文字回答。请按按钮，或回复 `/批准`，或回复 `/拒绝` 并说明原因。',
  decision: {
    by: (what, who) => `${what} · ${who}`,
    who: (name, channel) => `${name}（${channel}）`,
    withWords: (what, words) => `${what}（“${words}”）`,
    rejected: '已拒绝',
  },
  queuedNext: '已排队：当前这一轮结束后处理。',
  queuedStart: '已排队：智能体启动后处理。',
  queuedBehind: (count) => `已排队：前面还有 ${count} 条提示。`,
  machineAway: (machine) => `机器 ${machine} 没有连接。你的提示会等到它恢复连接。`,
  withdraw: '撤回',
  switched: (title) => `那条消息属于 **${title}**，本聊天现在显示它。`,
  startedAgain: (agent, folder, machine) =>
    `已在你上次使用的地方新建会话：**${agent}**，**${machine}** 上的 **${folder}**。`,
  elsewhere: '换一个…',
  choosePlace: '由哪个智能体来做？在哪里做？',
  choosePlaceFiles: '附件没有保留，请在新会话中重新发送。',
  noPlace: '没有你可以使用的智能体。',
  connectMachine: '请连接一台自己的机器：`dragoman runner --hub URL --token TOKEN`。',
  readOnly: '你在这里只能阅读。',
  machineOwn: (machine, owner) =>
    `机器 **${machine}** 只属于 **${owner}**；在它的 \`dragoman.json\` 中设置 \`"runner": { "isShared": true }\` 后，所有成员都可以使用。`,
  lastPlaceFailed: (reason) => `无法在你上次使用的地方开始：${reason}`,
  fileProblem: (name, reason) => `**${name}** 没有一起发送：${reason}`,
  fileEmpty: '文件是空的。',
  fileTooLarge: (size, limit) => `它有 ${size}，上限是 ${limit}。`,
  filesTooLarge: (limit) => `一条提示的所有文件合计不能超过 ${limit}。`,
  filesTooMany: (limit) => `一条提示最多带 ${limit} 个文件。`,
  imagesNotTaken: (agent) => `智能体 ${agent} 不接收图片。`,
  filesNotTaken: (agent) => `智能体 ${agent} 不接收文件。`,
  voiceOff:
    '还没有设置语音转文字。管理员可以在 `dragoman.json` 中指定模型：`"channels": { "transcription": "openai/whisper-1" }`。',
  voiceEmpty: '没有听到任何话。',
  left: '机器人已被移出或屏蔽。',
  editUnheard: '修改消息不会传给智能体，请重新发送。',
};

/** The words of each language. */
export const PEOPLE_WORDS: Record<Language, PeopleWords> = { en, zh };
