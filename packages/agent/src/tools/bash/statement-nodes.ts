import { namedChildrenOf, type ShellNode } from './bash-grammar.ts';

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

/** `(( … ))` alone; the grammar takes it for a command whose name it is. */
export function isArithmetic(command: ShellNode): boolean {
  const [name, ...others] = namedChildrenOf(command);
  return others.length === 0 && name?.type === 'command_name' && /^\(\(.*\)\)$/s.test(name.text);
}
