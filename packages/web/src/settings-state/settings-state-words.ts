import { defineWords } from '../words/define-words.ts';

/** What is said where settings are shown that are not in force as they are. */
export const settingsStateWords = defineWords({
  en: {
    notInForce: 'Not all settings are in force',
    notInForceAbout:
      'What was valid before is still in use. Correct what is named here; a file is read again when it is saved.',
    behindTitle: (name: string) => `Not applied on server ${name}`,
    behindAbout: 'That server is not using all of the current settings.',
    restartTitle: 'Takes effect after a restart',
    restartOf: (name: string) => `Restart server ${name} to apply:`,
    restartThis: 'Restart the server to apply:',
  },
  zh: {
    notInForce: '部分设置未生效',
    notInForceAbout: '之前有效的设置仍在使用。请修正以下内容；文件保存后会重新加载。',
    behindTitle: (name: string) => `服务器 ${name} 未应用设置`,
    behindAbout: '该服务器未使用全部当前设置。',
    restartTitle: '重启后生效',
    restartOf: (name: string) => `重启服务器 ${name} 后生效：`,
    restartThis: '重启服务器后生效：',
  },
});
