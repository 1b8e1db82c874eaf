import { readBuiltInFile } from './built-in-file.ts';
import { CodeVectors } from './code-vectors.ts';

let vectors: CodeVectors | undefined;

/** The trained vectors that come with the package, made by `training/vectors`. */
export function builtInVectors(): CodeVectors {
  return (vectors ??= new CodeVectors(readBuiltInFile()));
}
