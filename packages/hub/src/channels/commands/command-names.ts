import type { Language } from '../channel.ts';

/** How each command is written. The first name of a language is the one that is shown; all of them always work. */
export const COMMAND_NAMES = {
  sessions: { en: ['sessions', 'list'], zh: ['会话', '会话列表', '列表', '所有会话'] },
  switch: { en: ['switch', 'use'], zh: ['切换', '切换会话', '转到'] },
  status: { en: ['status', 'info'], zh: ['状态'] },
  new: { en: ['new'], zh: ['新建', '新会话', '新建会话'] },
  stop: { en: ['stop', 'cancel'], zh: ['停止', '停', '中止', '取消'] },
  move: { en: ['move'], zh: ['移动', '移到', '转移'] },
  queue: { en: ['queue'], zh: ['队列', '排队'] },
  steer: { en: ['steer', 'now'], zh: ['插话', '立即'] },
  approve: { en: ['approve', 'allow', 'yes'], zh: ['批准', '允许', '同意'] },
  deny: { en: ['deny', 'reject', 'no'], zh: ['拒绝', '不同意'] },
  mode: { en: ['mode'], zh: ['模式'] },
  model: { en: ['model'], zh: ['模型'] },
  history: { en: ['history'], zh: ['历史', '历史记录', '记录'] },
  search: { en: ['search', 'find'], zh: ['搜索', '查找', '搜'] },
  mute: { en: ['mute'], zh: ['静音', '免打扰'] },
  unmute: { en: ['unmute'], zh: ['取消静音', '取消免打扰'] },
  bind: { en: ['bind'], zh: ['绑定', '连接'] },
  unbind: { en: ['unbind'], zh: ['解绑', '取消绑定', '断开'] },
  help: { en: ['help', 'commands'], zh: ['帮助', '命令'] },
  start: { en: ['start'], zh: ['开始'] },
} as const satisfies Record<string, Record<Language, readonly string[]>>;

/** A command, whatever it is called in a chat. */
export type CommandName = keyof typeof COMMAND_NAMES;

/** Those that people are told of; the others are for programs, or are another word for one of these. */
export const SHOWN_COMMANDS: readonly CommandName[] = (Object.keys(COMMAND_NAMES) as CommandName[]).filter(
  (name) => name !== 'start' && name !== 'unmute',
);
