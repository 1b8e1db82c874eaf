/** What a piece of code is, as far as it has a colour of its own. */
export type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'type';

/** The only place where code gets its colours. */
export const CODE_COLOURS: Record<CodeKind, string> = {
  comment: 'text-(--code-comment)',
  keyword: 'text-(--code-keyword)',
  string: 'text-(--code-string)',
  number: 'text-(--code-number)',
  name: 'text-(--code-name)',
  type: 'text-(--code-type)',
};

/** What the grammars call the pieces. */
const KINDS: Readonly<Record<string, CodeKind>> = {
  'hljs-addition': 'string',
  'hljs-attr': 'name',
  'hljs-attribute': 'name',
  'hljs-built_in': 'type',
  'hljs-bullet': 'keyword',
  'hljs-code': 'string',
  'hljs-comment': 'comment',
  'hljs-deletion': 'keyword',
  'hljs-doctag': 'comment',
  'hljs-keyword': 'keyword',
  'hljs-link': 'string',
  'hljs-literal': 'number',
  'hljs-meta': 'comment',
  'hljs-name': 'name',
  'hljs-number': 'number',
  'hljs-quote': 'comment',
  'hljs-regexp': 'string',
  'hljs-section': 'name',
  'hljs-selector-class': 'name',
  'hljs-selector-id': 'name',
  'hljs-selector-tag': 'keyword',
  'hljs-string': 'string',
  'hljs-symbol': 'string',
  'hljs-template-tag': 'keyword',
  'hljs-title': 'name',
  'hljs-type': 'type',
  'hljs-variable': 'name',
};

/** What a piece is by the classes a grammar gives it. */
export function codeKindOf(classes: readonly string[]): CodeKind | undefined {
  return classes.includes('class_') ? 'type' : KINDS[classes[0] ?? ''];
}
