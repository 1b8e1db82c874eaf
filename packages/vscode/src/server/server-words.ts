import { defineWords } from '../words.ts';

/** What is said about finding, starting and ending the server. */
export const serverWords = defineWords({
  en: {
    notAnAddress: (address: string) =>
      `The setting "dragoman.url" is ${JSON.stringify(address)}, which is not a URL such as http://127.0.0.1:4747. Correct it or clear it.`,
    tokenMissing: (url: string) => `The server at ${url} needs a token. Enter one with "Dragoman: Show Menu".`,
    tokenRefused: (url: string) =>
      `The server at ${url} rejected the token. Create one there with "dragoman token create editor" and enter it with "Dragoman: Show Menu".`,
    notThere: (url: string, why: string) =>
      `The server at ${url} does not answer (${why}). Start it, or clear the setting "dragoman.url".`,
    endedEarly: (program: string, code: string, last: string) =>
      `The server (${program}) exited with ${code} before it was ready${last === '' ? '.' : `: ${last}`}`,
    notStarted: (program: string, why: string) => `The server (${program}) could not be started: ${why}`,
    tooSlow: (program: string, seconds: number) =>
      `The server (${program}) was not ready within ${seconds} seconds. See the log, and try again.`,
    spokeOddly: (program: string) => `${program} is not a Dragoman server. Check the setting "dragoman.serverCommand".`,
    commandMissing: (path: string) =>
      `The setting "dragoman.serverCommand" is ${path}, which is not the full path of a program. Correct it or clear it.`,
    configurationKept: (file: string, why: string) =>
      `The configuration ${file} cannot be changed and was left as is (${why}). Correct it or remove it.`,
    configurationUnwritten: (file: string, why: string) =>
      `The configuration ${file} could not be written (${why}). Free up disk space, or make its folder writable.`,
    noOwn: 'The server of this editor can’t be reached. See the log.',
    notOurs: (url: string) =>
      `The server at ${url} was not started by this editor, so it can’t be restarted from here.`,
    comesAndGoes:
      'The server stopped three times right after starting. See the log; "Dragoman: Restart Server" tries again.',
    cannotEnd: (pid: number) => `The server (process ${pid}) did not stop. Stop it manually and try again.`,
    closed: 'The window is closing.',
  },
  zh: {
    notAnAddress: (address: string) =>
      `设置 "dragoman.url" 的值 ${JSON.stringify(address)} 不是地址（例如 http://127.0.0.1:4747）。请修改或清空它。`,
    tokenMissing: (url: string) => `${url} 的服务器需要令牌。请通过“Dragoman: 显示菜单”填写。`,
    tokenRefused: (url: string) =>
      `${url} 的服务器拒绝了令牌。请在那里运行 "dragoman token create editor" 生成令牌，再通过“Dragoman: 显示菜单”填写。`,
    notThere: (url: string, why: string) => `${url} 的服务器没有应答（${why}）。请启动它，或清空设置 "dragoman.url"。`,
    endedEarly: (program: string, code: string, last: string) =>
      `服务器（${program}）在就绪之前退出（${code}）${last === '' ? '。' : `：${last}`}`,
    notStarted: (program: string, why: string) => `服务器（${program}）无法启动：${why}`,
    tooSlow: (program: string, seconds: number) => `服务器（${program}）在 ${seconds} 秒内没有就绪。请查看日志后重试。`,
    spokeOddly: (program: string) => `${program} 不是 Dragoman 服务器。请检查设置 "dragoman.serverCommand"。`,
    commandMissing: (path: string) => `设置 "dragoman.serverCommand" 的值 ${path} 不是程序的完整路径。请修改或清空它。`,
    configurationKept: (file: string, why: string) =>
      `配置文件 ${file} 无法修改，已保持原样（${why}）。请改正或删除它。`,
    configurationUnwritten: (file: string, why: string) =>
      `配置文件 ${file} 无法写入（${why}）。请腾出磁盘空间，或让所在文件夹可写。`,
    noOwn: '无法连接本编辑器的服务器。请查看日志。',
    notOurs: (url: string) => `${url} 的服务器不是由本编辑器启动的，不能从这里重新启动。`,
    comesAndGoes: '服务器连续三次刚启动就停止。请查看日志；“Dragoman: 重新启动服务器”可以重试。',
    cannotEnd: (pid: number) => `服务器（进程 ${pid}）没有停止。请手动停止它后重试。`,
    closed: '窗口正在关闭。',
  },
});
