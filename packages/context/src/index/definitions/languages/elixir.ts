import type { RuleLanguage } from '../rule.ts';

export const elixir: RuleLanguage = {
  lexis: { lineComments: ['#'], double: 'triple', single: 'triple' },
  blocks: 'end',
  continuedBy: new Set(['rescue', 'else', 'after', 'catch', 'do']),
  separator: /\./,
  rules: [
    { words: 'defmodule', pattern: /defmodule[ \t]+([\w.]+)/y, kind: 'module', opens: 'type' },
    { words: 'defprotocol', pattern: /defprotocol[ \t]+([\w.]+)/y, kind: 'interface' },
    { words: 'defimpl', pattern: /defimpl[ \t]+[\w.]+[ \t]*,[ \t]*for:[ \t]*([\w.]+)/y, opens: 'type' },
    { words: 'defimpl', pattern: /defimpl[ \t]+([\w.]+)/y, opens: 'type' },
    { words: 'defmacro defmacrop', pattern: /defmacrop?[ \t]+([a-z_]\w*[?!]?)/y, kind: 'macro' },
    {
      words: 'def defp defguard defguardp defdelegate defn defnp',
      pattern: /def(?:p|guardp?|delegate|np?)?[ \t]+([a-z_]\w*[?!]?)/y,
      kind: 'function',
    },
    { pattern: /@(?:type|typep|opaque)[ \t]+([a-z_]\w*)/y, kind: 'type', in: ['type'], opens: 'code' },
    { pattern: /@(?:callback|macrocallback)[ \t]+([a-z_]\w*[?!]?)/y, kind: 'method', in: ['type'] },
  ],
};
