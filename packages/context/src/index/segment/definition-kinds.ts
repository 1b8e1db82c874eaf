import type { DefinitionKind } from '../definitions/definition.ts';

/** Kinds by their number in a segment. New ones go to the end. */
export const DEFINITION_KINDS: readonly DefinitionKind[] = [
  'class',
  'interface',
  'enum',
  'type',
  'module',
  'function',
  'method',
  'constant',
  'macro',
  'section',
];
