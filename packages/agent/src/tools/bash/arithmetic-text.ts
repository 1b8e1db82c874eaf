/** What the shell does where it works a text out as a number: in `$((…))`, as an index, beside `-eq`. */
export interface ArithmeticText {
  /** Variables in it. What they hold is worked out in turn: with `x='a[$(id)]'`, `$((x))` runs `id`. */
  names: readonly string[];
  /** It may set any of them. */
  isAssigning: boolean;
  /** Every part of it is known before it runs, but for the values of `names`. */
  isReadable: boolean;
}

/** Substitutions that give a number whatever the project holds. */
const NUMBERS = /\$\((?:date \+%s|seq [\d ]+|(?:[^()`$\\]*\|\s*)?wc -[lcmw](?:\s*<\s*[\w./-]+)?)\s*\)/g;
const LENGTHS = /\$\{#\w*(?:\[[@*]\])?\}|\$[?#$!]/g;
const VALUES = /\$\{([A-Za-z_]\w*(?:\[[^\]{}]*\])?)(?::-\d+)?\}|\$([A-Za-z_]\w*)/g;

/** Reads such a text as it is written, quotes and all. More names than needed may be found, and none is missed. */
export function readArithmetic(text: string): ArithmeticText {
  const plain = text
    .replace(NUMBERS, '0')
    .replace(LENGTHS, '0')
    .replace(/["'\\]/g, '')
    .replace(VALUES, ' $1$2 ')
    .replace(/\$(?=\(\(|\[)/g, '');
  return {
    names: [...new Set(plain.match(/(?<![\w#])[A-Za-z_]\w*/g))],
    isAssigning: /\+\+|--|<<=|>>=|(?<![=!<>])=(?!=)/.test(plain),
    isReadable: !/[$`;{}]/.test(plain) && !/\$["']/.test(text),
  };
}

/** Whether a value, as it is written, is a number: worked out, it is nothing else. */
export function isNumber(text: string): boolean {
  const plain = text.replace(NUMBERS, '0').replace(LENGTHS, '0').replace(/["']/g, '');
  return /^(?:-?\d*|\{\d+\.\.\d+\}|\$\(\((?:(?!\)\)[^)]|\$\((?!\())[^`])*\)\))$/.test(plain);
}
