import { defineWords } from '../words/define-words.ts';

export const folderWords = defineWords({
  en: {
    folder: 'Folder',
    placeholder: '/path/to/project, or ~/project',
    browse: 'Browse',
    folders: 'Folders',
    where: 'Where you are',
    start: 'Start',
    useThis: 'Use this folder',
    up: 'One level up',
    repository: 'repository',
    noFolders: 'There are no folders in here.',
    noMatch: 'No folder here begins like that.',
    refused: {
      'not-found': 'There is no such folder on this machine.',
      forbidden: 'Agents may not work in this folder.',
      'bad-request': 'This is not the whole path of a folder. Begin it with / or ~.',
    },
    recent: 'Recent folders',
    noMachine: 'There is no machine you may work on. Ask whoever runs this server.',
  },
  zh: {
    folder: '文件夹',
    placeholder: '/项目/路径 或 ~/项目',
    browse: '浏览',
    folders: '文件夹列表',
    where: '当前位置',
    start: '起点',
    useThis: '就用这个文件夹',
    up: '上一级',
    repository: '代码仓库',
    noFolders: '这里没有子文件夹。',
    noMatch: '这里没有以此开头的文件夹。',
    refused: {
      'not-found': '这台机器上没有这个文件夹。',
      forbidden: '智能体不能在这个文件夹里工作。',
      'bad-request': '这不是文件夹的完整路径，请以 / 或 ~ 开头。',
    },
    recent: '最近的文件夹',
    noMachine: '没有你可以使用的机器，请联系服务器的管理者。',
  },
});
