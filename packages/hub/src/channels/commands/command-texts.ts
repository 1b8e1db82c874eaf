import type { Language } from '../channel.ts';
import type { CommandName } from './command-names.ts';

/** What one command is for, how it is written, and an example; none of it is Markdown. */
export interface CommandText {
  about: string;
  usage: string;
  example: string;
}

const en: Record<CommandName, CommandText> = {
  sessions: {
    about: 'list sessions, latest first',
    usage: '/sessions [PAGE, or part of the title]',
    example: '/sessions 2',
  },
  switch: {
    about: 'switch this chat to another session',
    usage: '/switch NUMBER, part of the title, or ID',
    example: '/switch 2',
  },
  status: { about: 'show the current session and its status', usage: '/status', example: '/status' },
  new: {
    about: 'start a session; add the first prompt on the next lines',
    usage: '/new [AGENT] [FOLDER] [@MACHINE]',
    example: '/new claude ~/app @desk',
  },
  stop: { about: 'stop the agent', usage: '/stop', example: '/stop' },
  move: {
    about: 'continue on another machine',
    usage: '/move [MACHINE] [FOLDER]',
    example: '/move laptop ~/app',
  },
  queue: {
    about: 'list queued prompts, or remove one',
    usage: '/queue [drop NUMBER or all]',
    example: '/queue drop 1',
  },
  steer: {
    about: 'tell the agent something while it works',
    usage: '/steer TEXT',
    example: '/steer use the other file',
  },
  approve: { about: 'allow what the agent asks for', usage: '/approve [NUMBER] [always]', example: '/approve 1' },
  deny: {
    about: 'deny it, with a reason if you want',
    usage: '/deny [NUMBER] [REASON]',
    example: '/deny not on this branch',
  },
  mode: { about: 'see or change the mode', usage: '/mode [NAME]', example: '/mode plan' },
  model: { about: 'see or change the model', usage: '/model [NAME]', example: '/model sonnet' },
  history: { about: 'show the last prompts and answers', usage: '/history [COUNT, 1 to 10]', example: '/history 5' },
  search: { about: 'search all sessions', usage: '/search WORDS', example: '/search flaky test' },
  mute: { about: 'only reply to commands here; /mute off to unmute', usage: '/mute [off]', example: '/mute off' },
  unmute: { about: 'turn messages back on', usage: '/unmute', example: '/unmute' },
  bind: {
    about: 'connect this account with a code from the console',
    usage: '/bind CODE',
    example: '/bind 7K2M-Q4XN',
  },
  unbind: { about: 'disconnect this account', usage: '/unbind [yes]', example: '/unbind' },
  help: { about: 'show this list', usage: '/help [COMMAND]', example: '/help new' },
  start: { about: 'get started', usage: '/start', example: '/start' },
};

const zh: Record<CommandName, CommandText> = {
  sessions: { about: '会话列表，最近的在前', usage: '/会话 [页码或标题中的文字]', example: '/会话 2' },
  switch: { about: '在这里显示另一个会话', usage: '/切换 序号、标题中的文字或编号', example: '/切换 2' },
  status: { about: '当前会话的状态', usage: '/状态', example: '/状态' },
  new: {
    about: '新建会话；后面的行是第一条提示词',
    usage: '/新建 [智能体] [文件夹] [@机器]',
    example: '/新建 claude ~/app @desk',
  },
  stop: { about: '停止智能体', usage: '/停止', example: '/停止' },
  move: { about: '换一台机器继续', usage: '/移动 [机器] [文件夹]', example: '/移动 laptop ~/app' },
  queue: { about: '查看或撤回排队的提示词', usage: '/队列 [撤回 序号或全部]', example: '/队列 撤回 1' },
  steer: { about: '在智能体工作时补充说明', usage: '/插话 内容', example: '/插话 请用另一个文件' },
  approve: { about: '批准智能体的请求', usage: '/批准 [序号] [始终]', example: '/批准 1' },
  deny: { about: '拒绝请求，可以说明原因', usage: '/拒绝 [序号] [原因]', example: '/拒绝 不要在这个分支上' },
  mode: { about: '查看或更改模式', usage: '/模式 [名称]', example: '/模式 plan' },
  model: { about: '查看或更改模型', usage: '/模型 [名称]', example: '/模型 sonnet' },
  history: { about: '最近的提示词和回答', usage: '/历史 [条数，1 到 10]', example: '/历史 5' },
  search: { about: '在所有会话中搜索', usage: '/搜索 文字', example: '/搜索 登录失败' },
  mute: { about: '只回应这里的命令；发送 /静音 关 恢复', usage: '/静音 [关]', example: '/静音 关' },
  unmute: { about: '恢复接收消息', usage: '/取消静音', example: '/取消静音' },
  bind: { about: '用控制台中的代码连接账号', usage: '/绑定 代码', example: '/绑定 7K2M-Q4XN' },
  unbind: { about: '断开这个账号', usage: '/解绑 [确认]', example: '/解绑' },
  help: { about: '显示这份列表', usage: '/帮助 [命令]', example: '/帮助 新建' },
  start: { about: '开始', usage: '/开始', example: '/开始' },
};

/** Every command in each language. */
export const COMMAND_TEXTS: Record<Language, Record<CommandName, CommandText>> = { en, zh };
