import { gitRepository } from '../../packages/context/src/index/commits/git-repository.fixture.ts';

const LICENCE = 'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy\n';
const VERBS = [
  ['read', '读取', 'load'],
  ['delete', '删除', 'remove'],
  ['refresh', '刷新', 'renew'],
  ['validate', '校验', 'check'],
] as const;
const THINGS = [
  ['user', '用户', 'account'],
  ['order', '订单', 'basket'],
  ['token', '令牌', 'session'],
  ['header', '请求头', 'request'],
  ['cache', '缓存', 'storage'],
  ['payment', '支付', 'invoice'],
  ['message', '消息', 'queue'],
  ['folder', '目录', 'files'],
  ['ticket', '工单', 'support'],
  ['picture', '图片', 'canvas'],
] as const;

/** A repository in TypeScript, half of it documented in Chinese, with a history, documentation and translations. */
export function typescriptRepository(): string {
  const { root, commit } = gitRepository();
  const files = THINGS.map(([thing, zhThing, other], at) => {
    const functions = VERBS.map(([verb, zhVerb, call]) => {
      const said =
        at % 2 === 0 ? `将${zhVerb}${zhThing}并返回结果。` : `Tries to ${verb} the ${thing} and tells the result.`;
      return `/** ${said} */\nexport function ${verb}${capital(thing)}(${thing}Id: string) {\n  const found = ${other}.${call}(${thing}Id);\n  if (found === undefined) return undefined;\n  return found.${thing};\n}\n`;
    });
    return [`src/${thing}s.ts`, functions.join('\n')] as const;
  });
  const labels = (of: (verb: (typeof VERBS)[number], thing: (typeof THINGS)[number]) => string) =>
    `${JSON.stringify(Object.fromEntries(VERBS.flatMap((verb) => THINGS.map((thing) => [`${verb[0]}-${thing[0]}`, of(verb, thing)]))), undefined, 2)}\n`;
  commit('start', {
    LICENSE: LICENCE,
    'README.md':
      '# Shop\n\nWhen somebody signs in, `refreshToken` makes the sign-in last for another day.\n\nEverything else in here is about people who order things, pay for them and look at pictures of what they bought.\n',
    'locales/en-US.json': labels(([verb], [thing]) => `${verb} ${thing}`),
    'locales/zh-CN.json': labels(([, verb], [, thing]) => `${verb}${thing}`),
    ...Object.fromEntries(files),
  });
  const [path, text] = files[2]!;
  commit('give every token that is renewed a time limit of its own', {
    [path]: text.replace('return found.token;', 'return withTimeLimit(found.token, limits.ofToken);'),
  });
  return root;
}

/** A repository in Python that does much the same, to try out what was learnt from the other. */
export function pythonRepository(): string {
  const { root, commit } = gitRepository();
  const functions = THINGS.flatMap(([thing, , other]) =>
    VERBS.map(
      ([verb, , call]) =>
        `def ${verb}_${thing}(${thing}_id):\n    """Tries to ${verb} the ${thing} of somebody."""\n    found = ${other}.${call}(${thing}_id)\n    if found is None:\n        return None\n    return found.${thing}\n`,
    ),
  );
  commit('start', { LICENSE: LICENCE, 'shop/everything.py': functions.join('\n\n') });
  return root;
}

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}
