import { childrenOf, namedChildrenOf, type ShellNode } from './bash-grammar.ts';

/**
 * What the grammar makes of the words of a command that the shell would not: between two of them there is a blank or a
 * continued line, and nothing else.
 */
export function doubtAboutWords(command: ShellNode): string | undefined {
  let last: ShellNode | undefined;
  for (const child of childrenOf(command)) {
    const from = (last?.endIndex ?? child.startIndex) - command.startIndex;
    const gap = last === undefined ? ' ' : command.text.slice(from, child.startIndex - command.startIndex);
    const isRedirect = child.type.endsWith('_redirect') || last?.type.endsWith('_redirect') === true;
    if (!/^(?:\\\n|[ \t])*$/.test(gap) || (!isRedirect && !/[ \t]/.test(gap))) return 'words that are not told apart';
    last = child;
  }
  return undefined;
}

/** The same of a here-document: that it ends where the shell ends it, and that what runs in it was seen. */
export function doubtAboutHeredoc(redirect: ShellNode): string | undefined {
  const parts = namedChildrenOf(redirect);
  const mark = parts.find(({ type }) => type === 'heredoc_start')?.text ?? '';
  const body = parts.find(({ type }) => type === 'heredoc_body');
  const text = body?.text ?? '';
  const end = mark.replace(/["'\\]/g, '');
  const isIndented = childrenOf(redirect).some(({ type }) => type === '<<-');
  const lines = text.split('\n').map((line) => (isIndented ? line.replace(/^\t+/, '') : line));
  if (lines.includes(end)) return 'a here-document whose end was not recognised';
  if (end !== mark) return undefined;
  const live = text.replace(/\\[\s\S]/g, '');
  const isComplete = !live.includes('`') && (live.match(/\$\(/g)?.length ?? 0) <= countSubstitutions(body);
  return isComplete ? undefined : 'a substitution in a here-document that was not recognised';
}

/** Those in backticks are left out: the grammar does not see them in a here-document. */
function countSubstitutions(node: ShellNode | undefined): number {
  if (node === undefined) return 0;
  const own = node.text.startsWith('$(') && /^(command_substitution|arithmetic_expansion)$/.test(node.type) ? 1 : 0;
  return namedChildrenOf(node).reduce((sum, child) => sum + countSubstitutions(child), own);
}

const STATEMENTS = new Set([
  'command',
  'declaration_command',
  'unset_command',
  'redirected_statement',
  'list',
  'pipeline',
  'negated_command',
  'subshell',
  'compound_statement',
  'do_group',
  'if_statement',
  'elif_clause',
  'else_clause',
  'case_statement',
  'case_item',
  'for_statement',
  'c_style_for_statement',
  'while_statement',
  'function_definition',
  'variable_assignment',
  'variable_assignments',
  'test_command',
]);

/** Whether a node is something that the shell runs, or a part of such a thing that holds others. */
export function isStatement(node: ShellNode): boolean {
  return STATEMENTS.has(node.type);
}

/**
 * Whether `<` or `>` stands in a test outside quotes and substitutions.
 *
 * `[` is a command to the shell, in which `>` is a redirect; the grammar takes it for a comparison.
 */
export function hasAngle(node: ShellNode): boolean {
  if (/^(command_substitution|process_substitution|string|raw_string)$/.test(node.type)) return false;
  return node.childCount === 0 ? /[<>]/.test(node.text) : childrenOf(node).some(hasAngle);
}

/** `(( … ))` alone; the grammar takes it for a command whose name it is. */
export function isArithmetic(command: ShellNode): boolean {
  const [name, ...others] = namedChildrenOf(command);
  return others.length === 0 && name?.type === 'command_name' && /^\(\(.*\)\)$/s.test(name.text);
}
