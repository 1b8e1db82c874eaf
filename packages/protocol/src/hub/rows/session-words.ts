import type { TurnEnd } from '../../uap/backend-event.ts';
import type { ApprovalOption } from '../../uap/content-block.ts';

/** The languages that people are spoken to in. */
export type SpokenLanguage = 'en' | 'zh';

/** What every screen says of a session in the same words. */
export interface SessionWords {
  someone: string;
  resultOf: string;
  readFiles(files: number): string;
  readFilesOften(files: number, calls: number): string;
  searches(count: number): string;
  onlySearches(count: number): string;
  failed(count: number): string;
  image: string;
  onMachine: string;
  turnEnd: Record<TurnEnd['reason'], string>;
  turnHelp: Readonly<Partial<Record<TurnEnd['reason'], string>>>;
  tokensIn(count: string): string;
  tokensOut(count: string): string;
  tokensCached(count: string): string;
  /** The titles that `describeToolCall` gives. */
  tools: Readonly<Record<string, string>>;
}

/** What every screen says of a question in the same words. */
export interface ApprovalWords {
  asks: string;
  asksQuestion: string;
  /** For options that an agent names in a language of its own. */
  kinds: Record<Exclude<ApprovalOption['kind'], 'answer'>, string>;
  deny: string;
  always: string;
  /** Instead of a yes, where there is no room for all that it would allow. */
  notWhole: string;
  open: string;
  withdrawn: string;
  timedOut: string;
  byRule(rule: string): string;
  byAgent: string;
  byRunner: string;
  byTime: string;
}

/** A session in words, by language. */
export const SESSION_WORDS: Record<SpokenLanguage, SessionWords> = {
  en: {
    someone: 'Someone',
    resultOf: 'Result of a hidden call',
    readFiles: (files) => (files === 1 ? 'Read 1 file' : `Read ${files} files`),
    readFilesOften: (files, calls) =>
      files === 1 ? `Read 1 file ${calls} times` : `Read ${files} files in ${calls} calls`,
    searches: (count) => (count === 1 ? 'searched once' : `searched ${count} times`),
    onlySearches: (count) => `Searched ${count} times`,
    failed: (count) => `${count} failed`,
    image: 'Image',
    onMachine: 'on the agent’s machine',
    turnEnd: {
      done: 'Done',
      cancelled: 'Stopped',
      refused: 'The model refused',
      limit: 'Stopped: the agent reached its limit',
      failed: 'The turn failed',
      interrupted: 'Interrupted: the agent’s process exited',
    },
    turnHelp: {
      refused: 'Rephrase your prompt, or ask for something else.',
      limit: 'Send a prompt to continue.',
      failed: 'Fix the problem, then send the prompt again.',
      interrupted: 'Send a prompt to continue where it left off.',
    },
    tokensIn: (count) => `${count} in`,
    tokensOut: (count) => `${count} out`,
    tokensCached: (count) => `${count} from cache`,
    tools: {
      'Context Engine': 'Context Engine',
      bash: 'Run',
      read: 'Read',
      edit: 'Edit',
      write: 'Write',
      patch: 'Patch',
      glob: 'Find files',
      grep: 'Search',
      task: 'Task',
      fetch: 'Fetch',
      'web search': 'Search the web',
      'code search': 'Search code',
      todos: 'To-do list',
      skill: 'Skill',
    },
  },
  zh: {
    someone: '某人',
    resultOf: '未显示的调用的结果',
    readFiles: (files) => `读取了 ${files} 个文件`,
    readFilesOften: (files, calls) => `读取了 ${files} 个文件，共 ${calls} 次`,
    searches: (count) => `搜索 ${count} 次`,
    onlySearches: (count) => `搜索了 ${count} 次`,
    failed: (count) => `${count} 次失败`,
    image: '图片',
    onMachine: '位于智能体所在的机器',
    turnEnd: {
      done: '完成',
      cancelled: '已停止',
      refused: '模型拒绝回答',
      limit: '已停止：达到智能体的限制',
      failed: '本轮失败',
      interrupted: '已中断：智能体的进程退出了',
    },
    turnHelp: {
      refused: '换一种说法，或提出别的要求。',
      limit: '发送一条提示词即可继续。',
      failed: '解决问题后重新发送提示词。',
      interrupted: '发送一条提示词即可从中断处继续。',
    },
    tokensIn: (count) => `输入 ${count}`,
    tokensOut: (count) => `输出 ${count}`,
    tokensCached: (count) => `缓存 ${count}`,
    tools: {
      'Context Engine': '上下文引擎',
      bash: '运行',
      read: '读取',
      edit: '编辑',
      write: '写入',
      patch: '补丁',
      glob: '查找文件',
      grep: '搜索',
      task: '任务',
      fetch: '获取',
      'web search': '搜索网络',
      'code search': '搜索代码',
      todos: '待办列表',
      skill: '技能',
    },
  },
};

/** A question in words, by language. */
export const APPROVAL_WORDS: Record<SpokenLanguage, ApprovalWords> = {
  en: {
    asks: 'Needs your approval',
    asksQuestion: 'Has a question',
    kinds: {
      allow_once: 'Allow once',
      allow_always: 'Always allow',
      reject_once: 'Deny',
      reject_always: 'Always deny',
    },
    deny: 'Deny',
    always: 'Always allow in this project',
    notWhole: 'Too long to show here in full. Open the session to allow it.',
    open: 'Open session',
    withdrawn: 'No longer needed',
    timedOut: 'Denied: no answer in time',
    byRule: (rule) => `the rule ${rule}`,
    byAgent: 'the agent',
    byRunner: 'the runner',
    byTime: 'the time limit',
  },
  zh: {
    asks: '需要你的批准',
    asksQuestion: '有问题要问',
    kinds: { allow_once: '允许一次', allow_always: '始终允许', reject_once: '拒绝', reject_always: '始终拒绝' },
    deny: '拒绝',
    always: '在本项目中始终允许',
    notWhole: '内容过长，无法在此完整显示。请打开会话后再允许。',
    open: '打开会话',
    withdrawn: '不再需要处理',
    timedOut: '已拒绝：超时未答复',
    byRule: (rule) => `规则 ${rule}`,
    byAgent: '智能体',
    byRunner: '运行器',
    byTime: '超时',
  },
};
