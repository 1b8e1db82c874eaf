import type { DefinitionKind } from './definition.ts';
import type { Lexis } from './lexis.ts';
import type { Source } from './scan-source.ts';

/**
 * What stands around a line: the file or a module, a type's body, an object's or table's body, a function or any other
 * block, or a group such as Go's `const (…)`.
 */
export type Place = 'file' | 'type' | 'object' | 'code' | 'constants' | 'variables' | 'types';

/** How a definition is recognised by the line its head begins on. */
export interface Rule {
  /** The words such a line begins with, separated by blanks; any line where it does not say. */
  words?: string;
  /** Sticky, from the line's first character that is not blank. The first group is the name, the second its container. */
  pattern: RegExp;
  /** The container is the first group and the name the second. */
  isContainerFirst?: boolean;
  /** Only counts without indentation. */
  isFlush?: boolean;
  /** A last look at what follows the match. */
  accepts?: (source: Source, end: number) => boolean;
  /** Nothing is defined where it is absent: the line only says what the definitions inside belong to. */
  kind?: DefinitionKind;
  /** Where it may stand; anywhere where it does not say. */
  in?: readonly Place[];
  /** What its body is to the lines in it. */
  opens?: Place;
  /** `value` goes on behind its block up to the end of the statement, `line` never leaves its line. */
  body?: 'block' | 'value' | 'line' | 'parens';
  /** Only counts when it has a block. */
  needsBlock?: boolean;
  /** Only counts when it reaches over several lines. */
  needsLines?: boolean;
}

/** A language whose definitions begin with a line that tells them. */
export interface RuleLanguage {
  lexis: Lexis;
  rules: readonly Rule[];
  /**
   * How a body ends: with its bracket, where the indentation falls back, or with a word at the indentation of its head.
   */
  blocks: 'braces' | 'indentation' | 'end';
  /** A statement without a block ends with its line, unless the next is indented deeper. */
  endsWithLine?: boolean;
  /** Words with which a line at the head's indentation still belongs to the head, or to its body. */
  continuedBy?: ReadonlySet<string>;
  /** Bodies may also be told by indentation, behind a head that ends with `:` or `=`. */
  hasIndentedBlocks?: boolean;
  /** A definition goes on with lines that begin with its own name. */
  isRepeated?: boolean;
  /** What may stand before a head on its line. Sticky. */
  annotations?: RegExp;
  /** What separates the parts of a qualified name. */
  separator?: RegExp;
}
