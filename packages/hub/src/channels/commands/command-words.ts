import type { SessionStatus, TurnEnd } from '@dragoman/protocol';
import type { Language } from '../channel.ts';
import type { CommandName } from './command-names.ts';
import { COMMAND_TEXTS, type CommandText } from './command-texts.ts';

/** What commands say. Names and titles come in as Markdown. */
export interface CommandWords {
  commands: Record<CommandName, CommandText>;
  helpTitle: string;
  helpPrompt: string;
  helpEnd: string;
  unknown: (word: string) => string;
  unknownNear: (word: string, near: string) => string;
  expected: (usage: string, example: string) => string;
  status: Record<SessionStatus, string>;
  sessions: string;
  sessionsNamed: (words: string) => string;
  noSessions: string;
  noneNamed: (words: string) => string;
  severalNamed: (words: string) => string;
  notInList: (number: string) => string;
  more: string;
  newSession: string;
  allSessions: string;
  here: string;
  noSession: string;
  nowHere: (title: string) => string;
  open: (link: string) => string;
  statusOf: {
    where: (agent: string, folder: string, machine: string) => string;
    away: string;
    model: (name: string) => string;
    mode: (name: string) => string;
    queued: (count: number) => string;
    waiting: (count: number) => string;
    tokens: (input: string, output: string) => string;
    cost: (dollars: string) => string;
  };
  started: (agent: string, folder: string, machine: string) => string;
  startedInTopic: (title: string) => string;
  startPrompt: string;
  choosePlace: string;
  noAgent: (name: string, agents: string) => string;
  noMachine: (name: string, machines: string) => string;
  wholePath: (path: string) => string;
  stopping: string;
  nothingRuns: string;
  queue: string;
  queueEmpty: string;
  dropped: (count: number) => string;
  droppedBefore: string;
  notQueued: (what: string) => string;
  thatOne: string;
  beingWorkedOn: string;
  workedOn: string;
  stop: string;
  withdraw: (number: number) => string;
  attachmentOnly: string;
  steered: string;
  steerQueued: string;
  steerEmpty: string;
  approvals: string;
  approvalsElsewhere: string;
  noApprovals: string;
  setting: Record<
    'model' | 'mode',
    {
      current: (name: string) => string;
      unknown: (name: string, near: string) => string;
      none: string;
      set: (name: string) => string;
      byDefault: string;
    }
  >;
  history: (title: string) => string;
  historyEmpty: string;
  noAnswer: string;
  noWords: string;
  ended: Record<Exclude<TurnEnd['reason'], 'done'>, string>;
  found: (words: string) => string;
  notFound: (words: string) => string;
  muted: string;
  unmuted: string;
  boundAs: (user: string, role: string) => string;
  bindPrivately: string;
  unbound: string;
  unbindSure: (user: string) => string;
  unbindYes: string;
}

const en: CommandWords = {
  commands: COMMAND_TEXTS.en,
  helpTitle: '**Commands**',
  helpPrompt: 'Anything else you write goes to the agent, including images, files and voice messages.',
  helpEnd: 'Answer the agent’s questions with the buttons, or reply to them in your own words.',
  unknown: (word) => `I do not know the command \`/${word}\`. \`/help\` lists them.`,
  unknownNear: (word, near) =>
    `I do not know the command \`/${word}\`. Did you mean ${near}? \`/help\` lists them all.`,
  expected: (usage, example) => `That is not how it is written. Expected: \`${usage}\`, such as \`${example}\`.`,
  status: {
    starting: 'starting',
    idle: 'idle',
    running: 'running',
    waiting: 'needs input',
    stopped: 'stopped',
    failed: 'failed',
  },
  sessions: '**Sessions**',
  sessionsNamed: (words) => `**Sessions with “${words}” in the title**`,
  noSessions: 'No sessions yet. Describe a task, or start one with `/new`.',
  noneNamed: (words) => `No session has “${words}” in its title.`,
  severalNamed: (words) => `**Several sessions have “${words}” in the title. Which one?**`,
  notInList: (number) => `There is no number ${number} in the last list. \`/sessions\` makes a new one.`,
  more: 'More…',
  newSession: 'New session',
  allSessions: 'Sessions',
  here: 'shown here',
  noSession: 'No session selected. Choose one, or describe a task.',
  nowHere: (title) => `This chat shows **${title}** now.`,
  open: (link) => `[Open in the console](${link})`,
  statusOf: {
    where: (agent, folder, machine) => `**${agent}** in **${folder}** on **${machine}**`,
    away: 'The machine is offline.',
    model: (name) => `Model: ${name}`,
    mode: (name) => `Mode: ${name}`,
    queued: (count) => `${count} ${count === 1 ? 'prompt' : 'prompts'} queued`,
    waiting: (count) => `${count} ${count === 1 ? 'question' : 'questions'} waiting`,
    tokens: (input, output) => `Tokens: ${input} in, ${output} out`,
    cost: (dollars) => `Cost: $${dollars}`,
  },
  started: (agent, folder, machine) => `A new session of **${agent}** in **${folder}** on **${machine}**.`,
  startedInTopic: (title) => `The new session has a topic of its own: **${title}**.`,
  startPrompt: 'Describe a task.',
  choosePlace: 'Which agent, and where?',
  noAgent: (name, agents) => `There is no agent **${name}** that you may use. There are: ${agents}.`,
  noMachine: (name, machines) => `There is no machine **${name}** that you may use. There are: ${machines}.`,
  wholePath: (path) =>
    `**${path}** is not a whole path. Write the folder from its beginning, such as \`/home/me/app\` or \`~/app\`.`,
  stopping: 'Stopping.',
  nothingRuns: 'Nothing is running.',
  queue: '**Queued prompts**',
  queueEmpty: 'No queued prompts.',
  dropped: (count) => (count === 1 ? 'Removed.' : `${count} prompts removed.`),
  droppedBefore: 'Already removed.',
  notQueued: (what) => `No prompt that waits is ${what}. \`/queue\` lists them.`,
  thatOne: 'that one',
  beingWorkedOn: 'The agent is already working on it.',
  workedOn: 'The agent already has it.',
  stop: 'Stop',
  withdraw: (number) => `✗ ${number}`,
  attachmentOnly: '(attachments)',
  steered: 'The agent gets it now.',
  steerQueued: 'Queued: the agent takes nothing while it works, or nothing is running.',
  steerEmpty: 'Write what the agent should know.',
  approvals: '**Needs your input**',
  approvalsElsewhere: '**Waiting in other sessions:**',
  noApprovals: 'Nothing needs your input.',
  setting: {
    model: {
      current: (name) => `The model is **${name}**.`,
      unknown: (name, near) =>
        `The agent knows no model **${name}**. ${near === '' ? 'Choose one:' : `Did you mean ${near}?`}`,
      none: 'This agent has no models to choose from.',
      set: (name) => `The model is **${name}** from now on.`,
      byDefault: 'the default',
    },
    mode: {
      current: (name) => `The mode is **${name}**.`,
      unknown: (name, near) =>
        `The agent knows no mode **${name}**. ${near === '' ? 'Choose one:' : `Did you mean ${near}?`}`,
      none: 'This agent has no modes to choose from.',
      set: (name) => `The mode is **${name}** from now on.`,
      byDefault: 'the default',
    },
  },
  history: (title) => `**${title}**`,
  historyEmpty: 'No messages yet.',
  noAnswer: '(no answer yet)',
  noWords: '(done, without words)',
  ended: {
    cancelled: '(stopped)',
    refused: '(refused by the model)',
    limit: '(ended at a limit)',
    failed: '(failed)',
    interrupted: '(interrupted)',
  },
  found: (words) => `**Found for “${words}”**`,
  notFound: (words) => `No results for “${words}”.`,
  muted: 'Muted. I only reply to commands here. Use `/mute off` to unmute.',
  unmuted: 'Unmuted.',
  boundAs: (user, role) =>
    `This account is **${user}** (${role}). With a new code from the console it can become another.`,
  bindPrivately: 'Send me the code in private; here others can read it.',
  unbound: 'This account is now disconnected. To reconnect it, get a new code in the console.',
  unbindSure: (user) =>
    `This account is **${user}**. Once it is disconnected, I say and do nothing for it here. Disconnect it?`,
  unbindYes: 'Disconnect',
};

const zh: CommandWords = {
  commands: COMMAND_TEXTS.zh,
  helpTitle: '**我能听懂的命令**',
  helpPrompt: '其他内容都会发给智能体，图片、文件和语音也会一起发送。',
  helpEnd: '智能体提问时，请按按钮回答；需要文字回答时，直接回复那条消息。',
  unknown: (word) => `没有 \`/${word}\` 这个命令。发送 \`/帮助\` 查看所有命令。`,
  unknownNear: (word, near) => `没有 \`/${word}\` 这个命令。你是不是想用 ${near}？发送 \`/帮助\` 查看所有命令。`,
  expected: (usage, example) => `写法不对。应为：\`${usage}\`，例如 \`${example}\`。`,
  status: {
    starting: '启动中',
    idle: '空闲',
    running: '运行中',
    waiting: '等你处理',
    stopped: '已停止',
    failed: '失败',
  },
  sessions: '**会话**',
  sessionsNamed: (words) => `**标题中有“${words}”的会话**`,
  noSessions: '还没有会话。直接写下要做的事，或用 `/新建` 开始。',
  noneNamed: (words) => `没有标题中有“${words}”的会话。`,
  severalNamed: (words) => `**有几个会话的标题中有“${words}”，要哪一个？**`,
  notInList: (number) => `上一份列表中没有第 ${number} 项。发送 \`/会话\` 重新列出。`,
  more: '更多…',
  newSession: '新建会话',
  allSessions: '会话列表',
  here: '当前',
  noSession: '本聊天没有显示会话。请选择一个，或直接写下要做的事。',
  nowHere: (title) => `本聊天现在显示 **${title}**。`,
  open: (link) => `[在控制台中打开](${link})`,
  statusOf: {
    where: (agent, folder, machine) => `**${agent}**，**${machine}** 上的 **${folder}**`,
    away: '机器没有连接。',
    model: (name) => `模型：${name}`,
    mode: (name) => `模式：${name}`,
    queued: (count) => `${count} 条提示在等待`,
    waiting: (count) => `${count} 个请求在等待回答`,
    tokens: (input, output) => `令牌：输入 ${input}，输出 ${output}`,
    cost: (dollars) => `费用：$${dollars}`,
  },
  started: (agent, folder, machine) => `已新建会话：**${agent}**，**${machine}** 上的 **${folder}**。`,
  startedInTopic: (title) => `新会话有自己的话题：**${title}**。`,
  startPrompt: '写下要做的事吧。',
  choosePlace: '用哪个智能体？在哪里？',
  noAgent: (name, agents) => `没有你可以使用的智能体 **${name}**。可用的有：${agents}。`,
  noMachine: (name, machines) => `没有你可以使用的机器 **${name}**。可用的有：${machines}。`,
  wholePath: (path) => `**${path}** 不是完整路径。请从头写出文件夹，例如 \`/home/me/app\` 或 \`~/app\`。`,
  stopping: '正在停止。',
  nothingRuns: '没有正在运行的内容。',
  queue: '**等待中的提示**',
  queueEmpty: '没有等待中的提示。',
  dropped: (count) => (count === 1 ? '已撤回。' : `已撤回 ${count} 条提示。`),
  droppedBefore: '之前已经撤回。',
  notQueued: (what) => `等待中的提示里没有 ${what}。发送 \`/队列\` 查看。`,
  thatOne: '这一条',
  beingWorkedOn: '已经在处理了。',
  workedOn: '智能体已经处理过了。',
  stop: '停止',
  withdraw: (number) => `✗ ${number}`,
  attachmentOnly: '（附件）',
  steered: '智能体马上就会看到。',
  steerQueued: '已排队：智能体在工作时不接收内容，或者当前没有在运行。',
  steerEmpty: '请写下要告诉智能体的内容。',
  approvals: '**等你回答**',
  approvalsElsewhere: '**这里没有等待的请求，别处有：**',
  noApprovals: '没有等待回答的请求。',
  setting: {
    model: {
      current: (name) => `当前模型是 **${name}**。`,
      unknown: (name, near) => `智能体没有模型 **${name}**。${near === '' ? '请选择：' : `你是不是想用 ${near}？`}`,
      none: '这个智能体没有可选的模型。',
      set: (name) => `之后使用模型 **${name}**。`,
      byDefault: '默认',
    },
    mode: {
      current: (name) => `当前模式是 **${name}**。`,
      unknown: (name, near) => `智能体没有模式 **${name}**。${near === '' ? '请选择：' : `你是不是想用 ${near}？`}`,
      none: '这个智能体没有可选的模式。',
      set: (name) => `之后使用模式 **${name}**。`,
      byDefault: '默认',
    },
  },
  history: (title) => `**${title}**`,
  historyEmpty: '这个会话中还没有内容。',
  noAnswer: '（还没有回答）',
  noWords: '（已完成，没有文字）',
  ended: {
    cancelled: '（已停止）',
    refused: '（模型拒绝回答）',
    limit: '（达到上限而结束）',
    failed: '（失败）',
    interrupted: '（已中断）',
  },
  found: (words) => `**“${words}”的搜索结果**`,
  notFound: (words) => `没有找到“${words}”。`,
  muted: '已静音：我只回应这里的请求。发送 `/静音 关` 恢复。',
  unmuted: '已恢复所有消息。',
  boundAs: (user, role) => `这个账号是 **${user}**（${role}）。用控制台中的新代码可以换成别人。`,
  bindPrivately: '请把代码私下发给我；在这里别人能看到。',
  unbound: '这个账号已断开。用控制台中的新代码可以重新连接。',
  unbindSure: (user) => `这个账号是 **${user}**。断开后，我在这里不再回应，也不再发送消息。要断开吗？`,
  unbindYes: '断开',
};

/** The words of each language. */
export const COMMAND_WORDS: Record<Language, CommandWords> = { en, zh };
