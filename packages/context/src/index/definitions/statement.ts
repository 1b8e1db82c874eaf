import type { DefinitionKind } from './definition.ts';
import type { Lexis } from './lexis.ts';

/** What is around a statement. */
export type Surrounding = 'file' | 'type' | 'enum';

/** A statement as far as it tells what it declares: up to its block, or to its end where it has none. */
export interface Statement {
  /** From its first word to its parameters, its block, its `=` or its end, without comments. */
  head: string;
  /** What stands between the brackets of its parameters; undefined where it has none. */
  parameters: string | undefined;
  /** From behind the parameters to the block or the end. */
  tail: string;
  hasBlock: boolean;
  /** How its block begins. */
  block: string;
  /** An `=` or `=>` stands before the block or the end. */
  hasValue: boolean;
  /** It is `=>`. */
  isArrow: boolean;
  inside: Surrounding;
  /** The name of the type or namespace around it. */
  container: string | undefined;
}

export interface Declaration {
  name: string;
  /** Nothing is defined where it is absent: the statement only says what the definitions inside belong to. */
  kind?: DefinitionKind;
  container?: string;
  /** What the block is to the statements in it; they are not read where it does not say. */
  opens?: Surrounding;
  /** The statement ends with the block, not with a semicolon behind it. */
  endsWithBlock?: boolean;
}

/** A language whose definitions begin with a type and a name rather than with a word of their own. */
export interface StatementLanguage {
  lexis: Lexis;
  /** What stands before a statement without being a part of it. */
  leads: { annotations?: boolean; attributes?: boolean; templates?: boolean; labels?: boolean; macros?: boolean };
  /** What a statement declares. */
  declare(statement: Statement): Declaration | undefined;
  /** What is declared behind a block, in the text up to the semicolon: `typedef struct { … } name;`. */
  declareBehind?(statement: Statement, rest: string): Declaration | undefined;
  /** Words that may follow parameters; another word means the brackets belonged to a macro before the head. */
  trailers: ReadonlySet<string>;
}
