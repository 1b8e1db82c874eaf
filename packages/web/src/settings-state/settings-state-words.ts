import { defineWords } from '../words/define-words.ts';

/** What is said where settings are shown that are not in force as they are. */
export const settingsStateWords = defineWords({
  en: {
    notInForce: 'The configuration file has errors',
    notInForceAbout: 'The last valid version is still in use. Fix the file and save it to reload.',
    behindTitle: (name: string) => `Not applied on server ${name}`,
    behindAbout: 'That server is still using its earlier settings.',
    restartTitle: 'Takes effect after a restart',
    restartOf: (name: string) => `Restart server ${name} to apply:`,
    restartThis: 'Restart the server to apply:',
  },
  zh: {
    notInForce: '配置文件有错误',
    notInForceAbout: '仍在使用上一个有效版本。请修正文件，保存后会重新加载。',
    behindTitle: (name: string) => `服务器 ${name} 未应用设置`,
    behindAbout: '该服务器仍在使用之前的设置。',
    restartTitle: '重启后生效',
    restartOf: (name: string) => `重启服务器 ${name} 后生效：`,
    restartThis: '重启服务器后生效：',
  },
});
