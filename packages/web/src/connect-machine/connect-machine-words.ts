import { defineWords } from '../words/define-words.ts';

export const connectMachineWords = defineWords({
  en: {
    onlyHere:
      'Other machines can’t reach the server at the address you use. Let it listen for them (server.host), say under which address (server.publicUrl), restart it and put that address in place of ADDRESS.',
  },
  zh: {
    onlyHere:
      '其他机器无法通过你当前使用的地址访问服务器。请让它对外监听（server.host），写明对外的地址（server.publicUrl），重启后用该地址替换 ADDRESS。',
  },
});
