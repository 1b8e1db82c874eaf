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
  queuedAway: string;
  stop: string;
  move: string;
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
    `I don’t know you yet. Open **Settings → Channels** in ${console}, choose **Connect a chat account**, and send me the code it shows, such as \`/bind 7K2M-Q4XN\`.`,
  console: (link) => `[the console](${link})`,
  consolePlain: 'the console',
  bound: (user, role) =>
    `You’re connected as **${user}** (${role}). Describe a task, or send \`/sessions\` to see the sessions and \`/help\` to list the commands.`,
  boundBefore: (user) => `You’re already connected as **${user}**.`,
  boundWhileViewer: 'You have view-only access. To send prompts and answer approvals, you need the member role.',
  wrongCode: (left) =>
    `That code is wrong, already used or expired. A code works once, within 10 minutes. Get a new one in the console. ${left === 1 ? '1 attempt' : `${left} attempts`} left.`,
  noMoreCodes: 'Too many wrong codes. Try again in an hour with a new code.',
  codeInGroup:
    'Others can read that code here, so it no longer works. Get a new one in the console and send it to me in a private chat.',
  groupAsks: (console) =>
    `I’m not allowed to post in this group yet. An admin can allow it under **Settings → Channels** in ${console}.`,
  groupAllowed:
    'An admin has allowed this group. I respond to people with connected accounts. Send `/help` to see how.',
  groupStranger: (console) =>
    `I don’t know you yet. Connect your account first: open **Settings → Channels** in ${console}, then send me the code in a private chat.`,
  roles: { viewer: 'viewer', member: 'member', admin: 'admin' },
  needsRole: (role) => `This requires the ${role} role. An admin can change your role in the console.`,
  nobody: 'This account is no longer linked to anyone.',
  failed: (reason) => `That didn’t work: ${reason}`,
  unexpected: 'Something went wrong on the server. Try again, or see the server log for details.',
  pressStranger: 'I don’t know you yet. Connect your account in the console: Settings → Channels.',
  pressClosed: 'I’m not allowed to act in this chat.',
  pressOld: 'This button is out of date.',
  pressLater: 'Working on it…',
  pressDone: 'OK',
  decidedBefore: (decision) => `Already answered: ${decision}`,
  answerMissing: 'Enter an answer first.',
  wordsNotTaken:
    'The agent doesn’t accept a text answer here. Use the buttons, or send `/approve`, or `/deny` with a reason.',
  decision: {
    by: (what, who) => `${what}, by ${who}`,
    who: (name, channel) => `${name} (${channel})`,
    withWords: (what, words) => `${what} (“${words}”)`,
    rejected: 'Denied',
  },
  queuedNext: 'Queued until the current turn ends.',
  queuedStart: 'Queued until the agent starts.',
  queuedBehind: (count) => `Queued behind ${count} ${count === 1 ? 'prompt' : 'prompts'}.`,
  queuedAway: 'Your prompt is queued until it reconnects.',
  stop: 'Stop',
  move: 'Move…',
  withdraw: 'Remove from queue',
  switched: (title) => `Your message belongs to **${title}**, so this chat now shows it.`,
  startedAgain: (agent, folder, machine) =>
    `Started a new **${agent}** session in **${folder}** on **${machine}**, where you last worked.`,
  elsewhere: 'Choose another…',
  choosePlace: 'Which agent should do it, and where?',
  choosePlaceFiles: 'Attachments were not kept. Send them again in the new session.',
  noPlace: 'There’s no agent you can use.',
  connectMachine: 'Connect your own machine: `dragoman runner --hub URL --token TOKEN`.',
  readOnly: 'You have view-only access here.',
  machineOwn: (machine, owner) =>
    `The machine **${machine}** belongs to **${owner}**. To let every member use it, set \`"runner": { "isShared": true }\` in its \`dragoman.json\`.`,
  lastPlaceFailed: (reason) => `Couldn’t start where you last worked: ${reason}`,
  fileProblem: (name, reason) => `**${name}** was not sent: ${reason}`,
  fileEmpty: 'it is empty.',
  fileTooLarge: (size, limit) => `it is ${size}, and the limit is ${limit}.`,
  filesTooLarge: (limit) => `the files of a prompt can be ${limit} in total.`,
  filesTooMany: (limit) => `a prompt can have at most ${limit} files.`,
  imagesNotTaken: (agent) => `the agent ${agent} doesn’t accept images.`,
  filesNotTaken: (agent) => `the agent ${agent} doesn’t accept files.`,
  voiceOff:
    'no model is set up to transcribe voice messages. An admin can set one in `dragoman.json`: `"channels": { "transcription": "openai/whisper-1" }`.',
  voiceEmpty: 'no speech was detected.',
  left: 'The bot was removed or blocked.',
  editUnheard: 'The agent doesn’t see edits. Send your message again.',
};

const zh: PeopleWords = {
  howToBind: (console) =>
    `我还不认识你。请在${console}中打开 **设置 → 聊天**，点 **连接聊天账号**，再把显示的代码发给我，例如 \`/绑定 7K2M-Q4XN\`。`,
  console: (link) => `[控制台](${link})`,
  consolePlain: '控制台',
  bound: (user, role) =>
    `你已连接为 **${user}**（${role}）。直接写下要智能体做的事，或发送 \`/会话\` 查看已有的会话；\`/帮助\` 列出所有命令。`,
  boundBefore: (user) => `你已经连接为 **${user}**。`,
  boundWhileViewer: '你目前只能查看。要发送提示词和处理审批，需要成员角色。',
  wrongCode: (left) =>
    `代码不对、已被使用或已过期：代码 10 分钟内有效，且只能用一次。请在控制台重新获取。还可以再试 ${left} 次。`,
  noMoreCodes: '错误的代码太多了。请一小时后用新代码重试。',
  codeInGroup: '这里的其他人能看到这个代码，它已作废。请在控制台重新获取，并在私聊中发给我。',
  groupAsks: (console) => `我还不能在这个群组中发言。管理员可以在${console}的 **设置 → 聊天** 中允许。`,
  groupAllowed: '管理员已允许这个群组。我只回应已连接账号的人。发送 `/帮助` 查看用法。',
  groupStranger: (console) =>
    `我还不认识你。请先连接账号：在${console}中打开 **设置 → 聊天**，再在私聊中把代码发给我。`,
  roles: { viewer: '访客', member: '成员', admin: '管理员' },
  needsRole: (role) => `这需要${role}角色。管理员可以在控制台中修改你的角色。`,
  nobody: '这个账号已不属于任何人。',
  failed: (reason) => `没有成功：${reason}`,
  unexpected: '服务器出错了。请重试，或查看服务器日志。',
  pressStranger: '我还不认识你。请在控制台中连接账号：设置 → 聊天。',
  pressClosed: '我不能在这个聊天中操作。',
  pressOld: '这个按钮已过时。',
  pressLater: '正在处理…',
  pressDone: '好的',
  decidedBefore: (decision) => `已经回答过了：${decision}`,
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
  queuedBehind: (count) => `已排队：前面还有 ${count} 条提示词。`,
  queuedAway: '你的提示词已排队，等它恢复连接。',
  stop: '停止',
  move: '移动…',
  withdraw: '撤回',
  switched: (title) => `那条消息属于 **${title}**，本聊天现在显示它。`,
  startedAgain: (agent, folder, machine) =>
    `已在你上次使用的地方新建会话：**${agent}**，**${machine}** 上的 **${folder}**。`,
  elsewhere: '换一个…',
  choosePlace: '由哪个智能体来做？在哪里做？',
  choosePlaceFiles: '附件没有保留，请在新会话中重新发送。',
  noPlace: '没有你可以使用的智能体。',
  connectMachine: '请连接一台自己的机器：`dragoman runner --hub URL --token TOKEN`。',
  readOnly: '你在这里只能查看。',
  machineOwn: (machine, owner) =>
    `机器 **${machine}** 属于 **${owner}**。要让所有成员都能使用，请在它的 \`dragoman.json\` 中设置 \`"runner": { "isShared": true }\`。`,
  lastPlaceFailed: (reason) => `无法在你上次使用的地方开始：${reason}`,
  fileProblem: (name, reason) => `**${name}** 没有发送：${reason}`,
  fileEmpty: '文件是空的。',
  fileTooLarge: (size, limit) => `它的大小是 ${size}，上限是 ${limit}。`,
  filesTooLarge: (limit) => `一条提示词的所有文件合计不能超过 ${limit}。`,
  filesTooMany: (limit) => `一条提示词最多带 ${limit} 个文件。`,
  imagesNotTaken: (agent) => `智能体 ${agent} 不接收图片。`,
  filesNotTaken: (agent) => `智能体 ${agent} 不接收文件。`,
  voiceOff:
    '还没有设置语音转文字。管理员可以在 `dragoman.json` 中指定模型：`"channels": { "transcription": "openai/whisper-1" }`。',
  voiceEmpty: '没有识别到语音。',
  left: '机器人已被移出或屏蔽。',
  editUnheard: '智能体看不到对消息的修改，请重新发送。',
};

/** The words of each language. */
export const PEOPLE_WORDS: Record<Language, PeopleWords> = { en, zh };
