export type DefinitionKind =
  | 'class'
  | 'interface'
  | 'enum'
  | 'type'
  | 'module'
  | 'function'
  | 'method'
  | 'constant'
  | 'macro'
  | 'section';

/** Something with a name that a file defines. Lines count from 1; the end is inclusive. */
export interface Definition {
  name: string;
  kind: DefinitionKind;
  /** Where its head stands. Comments and decorators above it are not counted here. */
  line: number;
  endLine: number;
  /** The innermost definition around it. */
  container?: string;
}
