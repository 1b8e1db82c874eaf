import { defineWords } from '../../../words/define-words.ts';

export const skillsWords = defineWords({
  en: {
    title: 'Skills',
    about: 'Skills the built-in agent can use in a folder: SKILL.md files in the folder, its parents and your own.',
    folder: 'Folder',
    folderHint: 'Default: where the server was started.',
    lookingAt: (folder: string) => `In ${folder}`,
    none: 'No skills in this folder',
    noneAbout: 'A skill is a folder with a SKILL.md that describes it, such as .dragoman/skills/deploy/SKILL.md.',
    broken: 'Unusable',
    instructions: 'Instructions',
    instructionsAbout: 'Files included at the start of every turn in this folder, in order.',
    noInstructions: 'None. An AGENTS.md in the folder is included automatically.',
    problems: 'Other files with problems',
  },
  zh: {
    title: '技能',
    about: '内置智能体在某个文件夹里可用的技能：来自该文件夹、上级文件夹和你自己的 SKILL.md 文件。',
    folder: '文件夹',
    folderHint: '默认为启动服务器的文件夹。',
    lookingAt: (folder: string) => `位于 ${folder}`,
    none: '这个文件夹里没有技能',
    noneAbout: '技能是一个带有 SKILL.md 的文件夹，说明它的用途，例如 .dragoman/skills/deploy/SKILL.md。',
    broken: '无法使用',
    instructions: '说明文件',
    instructionsAbout: '在此文件夹中，每轮对话开始时依次载入这些文件。',
    noInstructions: '没有。文件夹里的 AGENTS.md 会自动读取。',
    problems: '其他有问题的文件',
  },
});
