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
  moveWhere: (agent: string) => string;
  moveNowhere: (agent: string) => string;
  noMachineFor: (name: string, agent: string, machines: string) => string;
  stopFirst: string;
  moved: (machine: string, folder: string) => string;
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
  unknown: (word) => `Unknown command \`/${word}\`. Send \`/help\` to list all commands.`,
  unknownNear: (word, near) =>
    `Unknown command \`/${word}\`. Did you mean ${near}? Send \`/help\` to list all commands.`,
  expected: (usage, example) => `That doesn’t look right. Use \`${usage}\`, for example \`${example}\`.`,
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
  notInList: (number) => `The last list has no number ${number}. Send \`/sessions\` for a new list.`,
  more: 'More…',
  newSession: 'New session',
  allSessions: 'Sessions',
  here: 'shown here',
  noSession: 'No session selected. Choose one, or describe a task.',
  nowHere: (title) => `This chat now shows **${title}**.`,
  open: (link) => `[Open in the console](${link})`,
  statusOf: {
    where: (agent, folder, machine) => `**${agent}** in **${folder}** on **${machine}**`,
    model: (name) => `Model: ${name}`,
    mode: (name) => `Mode: ${name}`,
    queued: (count) => `${count} ${count === 1 ? 'prompt' : 'prompts'} queued`,
    waiting: (count) => `${count} ${count === 1 ? 'question' : 'questions'} waiting`,
    tokens: (input, output) => `Tokens: ${input} in, ${output} out`,
    cost: (dollars) => `Cost: $${dollars}`,
  },
  started: (agent, folder, machine) => `Started a new **${agent}** session in **${folder}** on **${machine}**.`,
  startedInTopic: (title) => `The new session has its own topic: **${title}**.`,
  startPrompt: 'Describe a task.',
  choosePlace: 'Which agent, and where?',
  noAgent: (name, agents) => `There’s no agent **${name}** you can use. Available agents: ${agents}.`,
  noMachine: (name, machines) => `There’s no machine **${name}** you can use. Available machines: ${machines}.`,
  wholePath: (path) =>
    `**${path}** is not a full path. Enter the full path of the folder, such as \`/home/me/app\` or \`~/app\`.`,
  stopping: 'Stopping.',
  nothingRuns: 'Nothing is running.',
  moveWhere: (agent) => `Which machine should **${agent}** continue on?`,
  moveNowhere: (agent) => `No other connected machine that you can use has the agent **${agent}**.`,
  noMachineFor: (name, agent, machines) =>
    `There’s no other connected machine **${name}** with the agent **${agent}**. Available machines: ${machines}.`,
  stopFirst: 'The agent is running. Send `/stop` before moving the session.',
  moved: (machine, folder) => `The session continues on **${machine}** in **${folder}**.`,
  queue: '**Queued prompts**',
  queueEmpty: 'No queued prompts.',
  dropped: (count) => (count === 1 ? 'Removed.' : `${count} prompts removed.`),
  droppedBefore: 'Already removed.',
  notQueued: (what) => `Not in the queue: ${what}. Send \`/queue\` to list queued prompts.`,
  thatOne: 'this prompt',
  beingWorkedOn: 'The agent is already working on it.',
  workedOn: 'The agent already has it.',
  stop: 'Stop',
  withdraw: (number) => `✗ ${number}`,
  attachmentOnly: '(attachments)',
  steered: 'Sent to the agent.',
  steerQueued: 'Queued. The agent isn’t running, or can’t take messages while it works.',
  steerEmpty: 'Enter a message for the agent.',
  approvals: '**Needs your input**',
  approvalsElsewhere: '**Waiting in other sessions:**',
  noApprovals: 'Nothing needs your input.',
  setting: {
    model: {
      current: (name) => `The model is **${name}**.`,
      unknown: (name, near) =>
        `This agent has no model **${name}**. ${near === '' ? 'Choose one:' : `Did you mean ${near}?`}`,
      none: 'This agent has no models to choose from.',
      set: (name) => `Model changed to **${name}**.`,
      byDefault: 'the default',
    },
    mode: {
      current: (name) => `The mode is **${name}**.`,
      unknown: (name, near) =>
        `This agent has no mode **${name}**. ${near === '' ? 'Choose one:' : `Did you mean ${near}?`}`,
      none: 'This agent has no modes to choose from.',
      set: (name) => `Mode changed to **${name}**.`,
      byDefault: 'the default',
    },
  },
  history: (title) => `**${title}**`,
  historyEmpty: 'No messages yet.',
  noAnswer: '(no answer yet)',
  noWords: '(done, no text)',
  ended: {
    cancelled: '(stopped)',
    refused: '(refused by the model)',
    limit: '(limit reached)',
    failed: '(failed)',
    interrupted: '(interrupted)',
  },
  found: (words) => `**Results for “${words}”**`,
  notFound: (words) => `No results for “${words}”.`,
  muted: 'Muted. I only reply to commands here. Use `/mute off` to unmute.',
  unmuted: 'Unmuted.',
  boundAs: (user, role) =>
    `This account is connected as **${user}** (${role}). To switch to another user, send a new code from the console.`,
  bindPrivately: 'Send me the code in a private chat. Others can read it here.',
  unbound: 'This account is now disconnected. To reconnect it, get a new code in the console.',
  unbindSure: (user) =>
    `This account is connected as **${user}**. Once disconnected, I won’t respond to it or send it messages here. Disconnect it?`,
  unbindYes: 'Disconnect',
};

const zh: CommandWords = {
  commands: COMMAND_TEXTS.zh,
  helpTitle: '**命令**',
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
  sessionsNamed: (words) => `**标题包含“${words}”的会话**`,
  noSessions: '还没有会话。直接写下要做的事，或用 `/新建` 开始。',
  noneNamed: (words) => `没有标题包含“${words}”的会话。`,
  severalNamed: (words) => `**有几个会话的标题包含“${words}”，要哪一个？**`,
  notInList: (number) => `上一份列表中没有第 ${number} 项。发送 \`/会话\` 重新列出。`,
  more: '更多…',
  newSession: '新建会话',
  allSessions: '会话列表',
  here: '当前',
  noSession: '还没有选择会话。请选择一个，或直接写下要做的事。',
  nowHere: (title) => `本聊天现在显示 **${title}**。`,
  open: (link) => `[在控制台中打开](${link})`,
  statusOf: {
    where: (agent, folder, machine) => `**${agent}**，**${machine}** 上的 **${folder}**`,
    model: (name) => `模型：${name}`,
    mode: (name) => `模式：${name}`,
    queued: (count) => `${count} 条提示词在排队`,
    waiting: (count) => `${count} 个请求在等待回答`,
    tokens: (input, output) => `Token：输入 ${input}，输出 ${output}`,
    cost: (dollars) => `费用：$${dollars}`,
  },
  started: (agent, folder, machine) => `已新建会话：**${agent}**，**${machine}** 上的 **${folder}**。`,
  startedInTopic: (title) => `新会话有自己的话题：**${title}**。`,
  startPrompt: '请写下要做的事。',
  choosePlace: '用哪个智能体？在哪里？',
  noAgent: (name, agents) => `没有你可以使用的智能体 **${name}**。可用的有：${agents}。`,
  noMachine: (name, machines) => `没有你可以使用的机器 **${name}**。可用的有：${machines}。`,
  wholePath: (path) => `**${path}** 不是完整路径。请写出文件夹的完整路径，例如 \`/home/me/app\` 或 \`~/app\`。`,
  stopping: '正在停止。',
  nothingRuns: '没有正在运行的任务。',
  moveWhere: (agent) => `**${agent}** 在哪台机器上继续？`,
  moveNowhere: (agent) => `没有其他已连接且你可以使用的机器提供智能体 **${agent}**。`,
  noMachineFor: (name, agent, machines) =>
    `没有其他已连接且提供智能体 **${agent}** 的机器 **${name}**。可用的有：${machines}。`,
  stopFirst: '智能体正在运行。请先发送 `/停止`，再移动会话。',
  moved: (machine, folder) => `会话在 **${machine}** 上的 **${folder}** 中继续。`,
  queue: '**排队的提示词**',
  queueEmpty: '没有排队的提示词。',
  dropped: (count) => (count === 1 ? '已撤回。' : `已撤回 ${count} 条提示词。`),
  droppedBefore: '已经撤回过了。',
  notQueued: (what) => `队列中没有：${what}。发送 \`/队列\` 查看排队的提示词。`,
  thatOne: '这一条',
  beingWorkedOn: '智能体已经在处理它。',
  workedOn: '智能体已经收到它。',
  stop: '停止',
  withdraw: (number) => `✗ ${number}`,
  attachmentOnly: '（附件）',
  steered: '已发给智能体。',
  steerQueued: '已排队。智能体没有在运行，或在工作时不能接收消息。',
  steerEmpty: '请写下要发给智能体的内容。',
  approvals: '**等你回答**',
  approvalsElsewhere: '**其他会话中等待回答：**',
  noApprovals: '没有等待回答的请求。',
  setting: {
    model: {
      current: (name) => `当前模型是 **${name}**。`,
      unknown: (name, near) => `智能体没有模型 **${name}**。${near === '' ? '请选择：' : `你是不是想用 ${near}？`}`,
      none: '这个智能体没有可选的模型。',
      set: (name) => `模型已改为 **${name}**。`,
      byDefault: '默认',
    },
    mode: {
      current: (name) => `当前模式是 **${name}**。`,
      unknown: (name, near) => `智能体没有模式 **${name}**。${near === '' ? '请选择：' : `你是不是想用 ${near}？`}`,
      none: '这个智能体没有可选的模式。',
      set: (name) => `模式已改为 **${name}**。`,
      byDefault: '默认',
    },
  },
  history: (title) => `**${title}**`,
  historyEmpty: '还没有消息。',
  noAnswer: '（还没有回答）',
  noWords: '（已完成，没有文字）',
  ended: {
    cancelled: '（已停止）',
    refused: '（模型拒绝回答）',
    limit: '（达到上限）',
    failed: '（失败）',
    interrupted: '（已中断）',
  },
  found: (words) => `**“${words}”的搜索结果**`,
  notFound: (words) => `没有找到“${words}”。`,
  muted: '已静音。我在这里只回应命令。发送 `/静音 关` 恢复。',
  unmuted: '已取消静音。',
  boundAs: (user, role) => `这个账号已连接为 **${user}**（${role}）。要换成其他用户，请发送控制台中的新代码。`,
  bindPrivately: '请在私聊中把代码发给我；在这里别人能看到。',
  unbound: '这个账号已断开。用控制台中的新代码可以重新连接。',
  unbindSure: (user) => `这个账号已连接为 **${user}**。断开后，我在这里不再回应它，也不再给它发消息。要断开吗？`,
  unbindYes: '断开',
};

/** The words of each language. */
export const COMMAND_WORDS: Record<Language, CommandWords> = { en, zh };
