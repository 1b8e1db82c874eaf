import { defineWords } from '../../../words/define-words.ts';

export const skillsWords = defineWords({
  en: {
    title: 'Skills',
    about:
      'What the native agent knows how to do in a folder: SKILL.md files of the folder, of its parents and of yours.',
    folder: 'Folder (empty: where the server was started)',
    lookingAt: (folder: string) => `In ${folder}`,
    none: 'No skills in this folder',
    noneAbout: 'A skill is a folder with a SKILL.md that says what it is for, as in .dragoman/skills/deploy/SKILL.md.',
    broken: 'Cannot be used',
    instructions: 'Instructions',
    instructionsAbout: 'Files that every turn in this folder begins with, in this order.',
    noInstructions: 'None. An AGENTS.md in the folder is read by itself.',
    problems: 'Other files with problems',
  },
  zh: {
    title: '技能',
    about: '内置智能体在某个文件夹里会做的事：来自该文件夹、上级文件夹和你自己的 SKILL.md 文件。',
    folder: '文件夹（留空则为启动服务器的文件夹）',
    lookingAt: (folder: string) => `位于 ${folder}`,
    none: '这个文件夹里没有技能',
    noneAbout: '技能是一个带有 SKILL.md 的文件夹，说明它的用途，例如 .dragoman/skills/deploy/SKILL.md。',
    broken: '无法使用',
    instructions: '说明文件',
    instructionsAbout: '在这个文件夹里，每一轮都会按顺序先读这些文件。',
    noInstructions: '没有。文件夹里的 AGENTS.md 会自动读取。',
    problems: '其他有问题的文件',
  },
});
