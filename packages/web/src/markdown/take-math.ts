import { mapWords } from './map-words.ts';
import { SIGN } from './own-nodes.ts';

/** A formula in a text. */
export interface Formula {
  type: 'formula';
  /** In TeX, without what encloses it. */
  text: string;
  /** It stands on a line of its own. */
  isDisplay: boolean;
  /** Its end was written. */
  isWhole: boolean;
  /** With what encloses it. */
  written: string;
}

const DISPLAY = String.raw`\$\$(?<display>(?:[^$\\]|\\[^]){1,5000}?)\$\$`;
const BRACKETS = String.raw`(?<=^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)\\\[(?<brackets>[^]{1,5000}?)\\\](?=[ \t]*[.,;:]?[ \t]*$)`;
const PARENTHESES = String.raw`\\\((?<parentheses>[^\n]{1,1000}?)\\\)`;
const ESCAPED = String.raw`\\[^]`;
/** As pandoc reads dollars: no space inside, and no letter or digit where it would be money or the name of a variable. */
const DOLLARS = String.raw`(?<![\w$])\$(?![\s$])(?<dollars>(?:[^$\\]|\\[^]){1,1000}?)(?<!\s)\$(?!(?!(?:th|st|nd|rd|s)\b)\w)(?!\$)`;
const MATH = new RegExp([DISPLAY, BRACKETS, PARENTHESES, ESCAPED, DOLLARS].join('|'), 'gm');
/** What was begun and is still being written. */
const BEGUN = /(?:\$\$|(?<=^[ \t]*)\\\[|\\\()(?:[^$\\]|\\[^\])]|\\$|\$$)*$/m;
/** "5/month or US" between two dollars is money. */
const MONEY = /^\d[\d.,]*[kKmMbB]?(?:\s+[A-Za-z]{2,}|\/[A-Za-z])/;
const MAX_FORMULAS = 300;

/**
 * The formulas of a part of a text, and the text with a sign for each that `withOwnNodes` knows. What stands in code is never one,
 * and neither are sums of money.
 */
export function takeMath(text: string, isOpen: boolean): { text: string; formulas: Formula[] } {
  const formulas: Formula[] = [];
  if (!/\$|\\[([]/.test(text)) return { text, formulas };
  const keep = (formula: Omit<Formula, 'type'>) => {
    if (formulas.length >= MAX_FORMULAS) return formula.written;
    formulas.push({ type: 'formula', ...formula });
    return `${SIGN.open}m${formulas.length - 1}${SIGN.close}`;
  };
  const shown = mapWords(text, (words) =>
    words.replaceAll(MATH, (written, ...rest) => {
      const { display, brackets, parentheses, dollars } = rest.at(-1) as Record<string, string | undefined>;
      const source = display ?? brackets ?? parentheses ?? dollars;
      if (source === undefined || source.trim() === '') return written;
      if (dollars !== undefined && MONEY.test(dollars)) return written;
      if ((brackets ?? parentheses) !== undefined && !isFormula(source)) return written;
      const isDisplay = display !== undefined || brackets !== undefined;
      return keep({ text: source.trim(), isDisplay, isWhole: true, written });
    }),
  );
  if (!isOpen) return { text: shown, formulas };
  return {
    text: shown.replace(BEGUN, (written) =>
      keep({ text: written.slice(2).trim(), isDisplay: !written.startsWith('\\('), isWhole: false, written }),
    ),
    formulas,
  };
}

/** Brackets and parentheses with a backslash are also how Markdown writes them as such. */
function isFormula(source: string): boolean {
  return /[\\=^_+<>{}|]/.test(source) || !/[A-Za-z]{3}/.test(source);
}
