import { defineWords } from '../words.ts';

/** What is said about the eight items. */
export const settingsWords = defineWords({
  en: {
    notWritten: (name: string) =>
      `Your settings.json could not be changed; it may have changes that were not saved. Save them, or write the line yourself: "${name}"`,
    notOpened: (seconds: number) => `Your settings.json did not open within ${seconds} seconds. Try again.`,
    problems: {
      address: 'This is not an address. It begins with http:// or https://, and for most services it ends in /v1.',
      addressWithKey: 'There is a name or a key in this address. Put the key into the field for it.',
      modelCharacters: 'A model’s name has no braces and no spaces at its ends.',
      modelMissing: 'Name the model, as your service calls it.',
      temperature: 'A number from 0 to 2.',
      maxTokens: 'A whole number, 1 or more.',
      keyCharacters: 'There are characters in it that cannot be sent, such as a space or a line break. Paste it again.',
      keyOfAnother: (host: string) =>
        `The one that is set was entered for another address. Type it again for ${host}, or remove it.`,
      tooLong: (limit: number) => `It is too long: ${limit} characters at most.`,
    },
  },
  zh: {
    notWritten: (name: string) =>
      `无法修改你的 settings.json；其中可能有尚未保存的改动。请先保存，或自己写这一行："${name}"`,
    notOpened: (seconds: number) => `你的 settings.json 在 ${seconds} 秒内没有打开。请再试一次。`,
    problems: {
      address: '这不是一个地址。地址以 http:// 或 https:// 开头，大多数服务以 /v1 结尾。',
      addressWithKey: '地址里含有用户名或密钥。请把密钥填到专门的一栏。',
      modelCharacters: '模型名称不能含有花括号，首尾不能有空格。',
      modelMissing: '请填写模型名称，与服务商的叫法一致。',
      temperature: '0 到 2 之间的数字。',
      maxTokens: '大于等于 1 的整数。',
      keyCharacters: '其中有无法发送的字符，例如空格或换行。请重新粘贴。',
      keyOfAnother: (host: string) => `已设置的内容是为另一个地址填写的。请为 ${host} 重新填写，或将其移除。`,
      tooLong: (limit: number) => `太长了：最多 ${limit} 个字符。`,
    },
  },
});
