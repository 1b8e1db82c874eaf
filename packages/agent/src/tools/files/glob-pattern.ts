import { ToolError } from '../tool.ts';

/** A pattern for paths, taken apart for a search that should look no further than it must. */
export interface GlobPattern {
  /** The folder that all matches are in, as the pattern names it: what stands before its first wildcard. Empty: here. */
  base: string;
  /** Whether a path, relative to that folder and with `/` between its parts, is meant. */
  matches(path: string): boolean;
  /** A pattern that the last part of every match meets, where there is a simple one. */
  name: string | undefined;
}

const WILD = /[*?[{\\]/;
/** What ripgrep and we read alike: letters, stars, and braces with nothing special in them. */
const SIMPLE_NAME = /^(?:[\w.*@+ -]|\{[\w.*@+ ,-]*\})+$/;

/**
 * Reads a pattern as people know them: `*` and `?` within a name, `**` across folders, `[…]`, `{a,b}`, `\` before a character
 * that means itself, `!` in front for all others. Without a slash it is about names in any folder.
 *
 * ripgrep's own `--glob` is no help here: what it selects it selects even where an ignore file leaves it out.
 */
export function parseGlob(pattern: string): GlobPattern {
  if (pattern.startsWith('!')) {
    const meant = toRegExp(pattern.slice(1));
    return { base: '', name: undefined, matches: (path) => !meant.test(path) };
  }
  const whole = pattern.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**');
  const parts = splitParts(whole);
  const wild = parts.findIndex((part) => WILD.test(part));
  const fixed = wild === -1 ? parts.length - 1 : wild;
  const rest = parts.slice(fixed).join('/');
  const base = fixed === 0 ? '' : parts.slice(0, fixed).join('/') || '/';
  const meant = toRegExp(rest, parts.length > 1);
  const name = parts.at(-1) ?? '';
  const isSimple = SIMPLE_NAME.test(name) && !/\*\*|\{,|,,|,\}/.test(name);
  return { base, matches: (path) => meant.test(path), name: isSimple ? name : undefined };
}

/** At the slashes that are not inside braces. */
function splitParts(pattern: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}') depth = Math.max(0, depth - 1);
    else if (character === '/' && depth === 0) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
  }
  // A brace that is never closed is only a brace.
  return depth > 0 ? pattern.split('/') : [...parts, pattern.slice(from)];
}

function toRegExp(pattern: string, isAnchored = pattern.includes('/')): RegExp {
  const source = translate(pattern);
  try {
    return new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${source}$`, 'su');
  } catch (error) {
    throw new ToolError(`"${pattern}" is not a pattern for paths: ${(error as Error).message}`, { cause: error });
  }
}

function translate(pattern: string): string {
  let source = '';
  const braces = closedBraces(pattern);
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    if (character === '*') {
      const run = /^\*+/.exec(pattern.slice(at))?.[0].length ?? 1;
      const next = pattern[at + run];
      const isPart = run > 1 && (at === 0 || '/{,'.includes(pattern[at - 1] ?? ''));
      at += run - 1;
      if (isPart && next === '/') {
        source += '(?:.*/)?';
        at++;
      } else source += isPart && (next === undefined || ',}'.includes(next)) ? '.*' : '[^/]*';
    } else if (character === '?') source += '[^/]';
    else if (character === '\\' && at + 1 < pattern.length) source += literal(pattern[++at] ?? '');
    else if (character === '[') {
      const set = /^\[([!^]?)(\]?[^\]]*)\]/s.exec(pattern.slice(at));
      if (set === null) source += '\\[';
      else {
        const characters = (set[2] ?? '').replace(/[[\]\\^&~]/g, '\\$&');
        source += `(?!/)[${set[1] === '' ? '' : '^'}${characters}]`;
        at += set[0].length - 1;
      }
    } else if (braces.has(at)) source += character === '{' ? '(?:' : character === '}' ? ')' : '|';
    else source += literal(character);
  }
  return source;
}

/** Where braces that have a partner stand, and the commas between them. */
function closedBraces(pattern: string): Set<number> {
  const found = new Set<number>();
  const open: number[][] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '{') open.push([at]);
    else if (character === ',') open.at(-1)?.push(at);
    else if (character === '}') for (const place of [...(open.pop() ?? [-1]), at]) if (place >= 0) found.add(place);
  }
  return found;
}

function literal(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
