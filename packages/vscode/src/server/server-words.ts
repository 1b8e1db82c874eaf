import { defineWords } from '../words.ts';

/** What is said about finding, starting and ending the server. */
export const serverWords = defineWords({
  en: {
    notAnAddress: (address: string) =>
      `The setting "dragoman.url" holds ${JSON.stringify(address)}, which is not an address such as http://127.0.0.1:4747. Mend or clear it.`,
    tokenMissing: (url: string) => `The server at ${url} needs a token. Enter one with "Dragoman: Show the Menu".`,
    tokenRefused: (url: string) =>
      `The server at ${url} refuses the token. Make one there with "dragoman token create editor", and enter it with "Dragoman: Show the Menu".`,
    notThere: (url: string, why: string) =>
      `The server at ${url} does not answer (${why}). Start it, or clear the setting "dragoman.url".`,
    endedEarly: (program: string, code: string, last: string) =>
      `The server (${program}) ended with ${code} before it was ready${last === '' ? '.' : `: ${last}`}`,
    notStarted: (program: string, why: string) => `The server (${program}) could not be started: ${why}`,
    tooSlow: (program: string, seconds: number) =>
      `The server (${program}) was not ready within ${seconds} seconds. See the log, and try again.`,
    spokeOddly: (program: string) =>
      `${program} does not speak as a Dragoman server does. Look at the setting "dragoman.serverCommand".`,
    commandMissing: (path: string) =>
      `The setting "dragoman.serverCommand" names ${path}, which is not a program with its whole path. Mend or clear it.`,
    configurationKept: (file: string, why: string) =>
      `The configuration ${file} cannot be changed and was left as it is (${why}). Mend it, or remove it.`,
    configurationUnwritten: (file: string, why: string) =>
      `The configuration ${file} could not be written (${why}). Make room on its disk, or make its folder writable.`,
    noOwn: 'No server of this editor could be reached. See the log.',
    notOurs: (url: string) => `The server at ${url} was not started by this editor and is not restarted from here.`,
    comesAndGoes:
      'The server ended three times right after it had started. See the log; "Dragoman: Restart the Server" tries again.',
    cannotEnd: (pid: number) => `The server (process ${pid}) did not end. End it by hand and try again.`,
    closed: 'The window is closing.',
  },
  zh: {
    notAnAddress: (address: string) =>
      `设置 "dragoman.url" 的内容 ${JSON.stringify(address)} 不是地址，地址应类似 http://127.0.0.1:4747。请修改或清空它。`,
    tokenMissing: (url: string) => `${url} 的服务器需要令牌。请通过“Dragoman: 显示菜单”填写。`,
    tokenRefused: (url: string) =>
      `${url} 的服务器拒绝了令牌。请在那里运行 "dragoman token create editor" 生成令牌，再通过“Dragoman: 显示菜单”填写。`,
    notThere: (url: string, why: string) => `${url} 的服务器没有应答（${why}）。请启动它，或清空设置 "dragoman.url"。`,
    endedEarly: (program: string, code: string, last: string) =>
      `服务器（${program}）在就绪之前以 ${code} 结束${last === '' ? '。' : `：${last}`}`,
    notStarted: (program: string, why: string) => `服务器（${program}）无法启动：${why}`,
    tooSlow: (program: string, seconds: number) => `服务器（${program}）在 ${seconds} 秒内没有就绪。请查看日志后重试。`,
    spokeOddly: (program: string) => `${program} 不是 Dragoman 服务器。请检查设置 "dragoman.serverCommand"。`,
    commandMissing: (path: string) =>
      `设置 "dragoman.serverCommand" 中的 ${path} 不是带完整路径的程序。请修改或清空它。`,
    configurationKept: (file: string, why: string) =>
      `配置文件 ${file} 无法修改，已保持原样（${why}）。请改正或删除它。`,
    configurationUnwritten: (file: string, why: string) =>
      `配置文件 ${file} 无法写入（${why}）。请腾出磁盘空间，或让所在文件夹可写。`,
    noOwn: '无法连接本编辑器的服务器。请查看日志。',
    notOurs: (url: string) => `${url} 的服务器不是由本编辑器启动的，不能从这里重新启动。`,
    comesAndGoes: '服务器刚启动就结束，已连续三次。请查看日志；“Dragoman: 重新启动服务器”可以重试。',
    cannotEnd: (pid: number) => `服务器（进程 ${pid}）没有结束。请手动结束它后重试。`,
    closed: '窗口正在关闭。',
  },
});
