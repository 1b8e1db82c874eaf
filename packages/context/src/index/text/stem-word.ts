/**
 * The common root of words that mean the same in code: parse, parser, parsing, parsed → pars.
 *
 * Stronger than stemmers made for prose, because in code the doer (`Serializer`), the deed (`serialize`) and the
 * result (`serialization`) live in one place. It need not give a word, only the same letters for the same root.
 */
export function stemWord(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  if (stem.endsWith('s') && !/(?:ss|us|is|ias|nvas|tlas)$/.test(stem)) {
    if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
    else if (/(?:ss|x|ch|sh|zz)es$/.test(stem)) stem = stem.slice(0, -2);
    else stem = stem.slice(0, -1);
  }
  for (const [suffix, least, replacement] of SUFFIXES) {
    if (stem.length - suffix.length >= least && stem.endsWith(suffix)) {
      stem = stem.slice(0, stem.length - suffix.length) + replacement;
      break;
    }
  }
  if (stem.length > 4 && stem.charCodeAt(stem.length - 1) === stem.charCodeAt(stem.length - 2) && !/[lsz]$/.test(stem))
    stem = stem.slice(0, -1);
  // cookie, cooky, cooki: all of them are the root of "cookies".
  if (stem.length > 3 && stem.endsWith('e')) stem = stem.slice(0, -1);
  if (stem.length > 3 && (stem.endsWith('y') || stem.endsWith('i'))) stem = stem.slice(0, -1);
  return stem;
}

/** Suffix, the least letters that must stay before it, and what takes its place; the longest first. */
const SUFFIXES: readonly (readonly [string, number, string])[] = [
  ['izations', 3, 'iz'],
  ['ization', 3, 'iz'],
  ['isation', 3, 'iz'],
  ['ification', 2, 'if'],
  ['mentation', 4, ''],
  ['ntation', 3, 'nt'],
  ['rmation', 2, 'rm'],
  ['ctation', 3, 'ct'],
  ['uration', 3, 'ur'],
  ['rvation', 3, 'rv'],
  ['ational', 4, 'at'],
  ['izing', 3, 'iz'],
  ['ising', 4, 'iz'],
  ['izer', 3, 'iz'],
  ['ised', 4, 'iz'],
  ['ized', 3, 'iz'],
  ['ise', 5, 'iz'],
  ['ation', 3, 'at'],
  ['ating', 4, 'at'],
  ['ator', 3, 'at'],
  ['ated', 4, 'at'],
  ['ative', 4, 'at'],
  ['ction', 2, 'ct'],
  ['ption', 3, 'pt'],
  ['sion', 4, 's'],
  ['tion', 4, 't'],
  ['ments', 4, ''],
  ['ment', 4, ''],
  ['ness', 4, ''],
  ['ability', 4, ''],
  ['ibility', 4, ''],
  ['able', 4, ''],
  ['ible', 4, ''],
  ['ings', 4, ''],
  ['ing', 3, ''],
  ['edly', 4, ''],
  ['ally', 4, 'al'],
  ['ly', 4, ''],
  ['ers', 4, ''],
  ['ors', 4, ''],
  ['ance', 4, ''],
  ['ence', 5, ''],
  ['ed', 3, ''],
  ['er', 4, ''],
  ['or', 4, ''],
];
