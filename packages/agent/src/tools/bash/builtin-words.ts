import { isPattern, literalOf, type ShellWord } from './shell-word.ts';

/** These run or change how the shell reads on, in more ways than are worth telling apart. */
const CHANGING = new Set(['compgen', 'complete', 'fc', 'bind', 'enable']);
/** These take names of variables. In the index of one, `a[$(id)]`, the shell runs what it finds. */
const NAMING = new Set('read unset wait getopts mapfile readarray declare typeset local export readonly'.split(' '));
const SET_OPTION =
  /^(?:[-+][aefhmnuvxCET]*o?|errexit|nounset|pipefail|xtrace|verbose|noglob|noclobber|noexec|allexport|errtrace|functrace)$/;
const GLOB_OPTION = /^(?:-[pqsu]+|\w*glob|globstar|nocasematch|inherit_errexit)$/;
const NAME = /^[A-Za-z_]\w*$/;
const UNARY = /^-[a-uw-zA-QS-Z]$/;
const BINARY = /^(?:==?|!=|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** Whether a builtin of the shell may run what its words do not show, or have the rest of the text read otherwise. */
export function isBuiltinInDoubt(name: string, words: readonly ShellWord[]): boolean {
  const texts = words.map((word) => (isPattern(word) ? undefined : literalOf(word)));
  if (CHANGING.has(name)) return true;
  if (name === 'test') return !isKnownTest(words);
  if (name === 'jobs') return texts.some((text) => text === undefined || /^-\w*x/.test(text));
  if (name === 'shopt') return !texts.every((text) => GLOB_OPTION.test(text ?? '$'));
  if (name === 'set') return !texts.slice(0, indexOrEnd(texts, '--')).every((text) => SET_OPTION.test(text ?? ''));
  if (name === 'printf') return texts[0] === '-v' ? !NAME.test(texts[1] ?? '') : isOpen(words[0]);
  if (!NAMING.has(name)) return false;
  // The function that `mapfile -C` calls is a command.
  const isCalling = /^(?:mapfile|readarray)$/.test(name) && texts.some((text) => /^-\w*C/.test(text ?? ''));
  return isCalling || words.some((word, index) => !isValue(word) && /[[`]|\$(?![$!?#])/.test(texts[index] ?? '`'));
}

/**
 * Whether it is seen before which words of `[` and `test` compare the others. Any of them may be filled in: `-v` as well as
 * the name behind it.
 */
export function isKnownTest(words: readonly ShellWord[]): boolean {
  const texts = words.map((word) => literalOf(word) ?? '');
  const [first, second = '', ...others] = texts[0] === '!' ? texts.slice(1) : texts;
  const isSplit = words.some(({ pieces }) =>
    pieces.some(({ kind, text }) => kind === 'dynamic' && /^[^"]|@/.test(text)),
  );
  if (isSplit || first === undefined || others.length > 1) return false;
  if (others.length === 1) return BINARY.test(second);
  const isAlone = texts.length === (texts[0] === '!' ? 2 : 1);
  return isAlone || UNARY.test(first) || (first === '-v' && NAME.test(second));
}

/** `NAME=…`, whatever the value is. */
function isValue({ pieces }: ShellWord): boolean {
  return pieces[0]?.kind === 'bare' && /^[A-Za-z_]\w*\+?=/.test(pieces[0].text);
}

/** Whether only the shell knows how a word begins. */
function isOpen(word: ShellWord | undefined): boolean {
  return word !== undefined && (isPattern(word) || word.pieces[0]?.kind === 'dynamic');
}

function indexOrEnd(texts: readonly unknown[], text: string): number {
  return texts.includes(text) ? texts.indexOf(text) : texts.length;
}
