import { defineWords } from '../words.ts';

/** What is said about the eight items. */
export const settingsWords = defineWords({
  en: {
    notWritten: (name: string) =>
      `Your settings.json could not be changed. It may have unsaved changes. Save them, or add the line yourself: "${name}"`,
    notOpened: (seconds: number) => `Your settings.json did not open within ${seconds} seconds. Try again.`,
    problems: {
      address: 'Enter a URL that starts with http:// or https://. For most services it ends in /v1.',
      addressWithKey: 'This URL contains a user name or a key. Enter the key in its own field.',
      modelCharacters: 'A model name can’t contain braces, or start or end with a space.',
      modelMissing: 'Enter the model name your provider uses.',
      temperature: 'Enter a number from 0 to 2.',
      maxTokens: 'Enter a whole number of 1 or more.',
      keyCharacters: 'It contains characters that can’t be sent, such as a space or a line break. Paste it again.',
      keyOfAnother: (host: string) => `The saved one is for another URL. Enter it again for ${host}, or remove it.`,
      tooLong: (limit: number) => `Too long. Use at most ${limit} characters.`,
    },
  },
  zh: {
    notWritten: (name: string) =>
      `无法修改你的 settings.json；其中可能有尚未保存的改动。请先保存，或自己加上这一行："${name}"`,
    notOpened: (seconds: number) => `你的 settings.json 在 ${seconds} 秒内没有打开。请再试一次。`,
    problems: {
      address: '请输入以 http:// 或 https:// 开头的地址。大多数服务的地址以 /v1 结尾。',
      addressWithKey: '地址里含有用户名或密钥。请把密钥填到专门的一栏。',
      modelCharacters: '模型名称不能含有花括号，首尾不能有空格。',
      modelMissing: '请填写模型名称，与服务商的叫法一致。',
      temperature: '0 到 2 之间的数字。',
      maxTokens: '大于等于 1 的整数。',
      keyCharacters: '其中有无法发送的字符，例如空格或换行。请重新粘贴。',
      keyOfAnother: (host: string) => `已保存的内容属于另一个地址。请为 ${host} 重新填写，或将其移除。`,
      tooLong: (limit: number) => `太长了：最多 ${limit} 个字符。`,
    },
  },
});
