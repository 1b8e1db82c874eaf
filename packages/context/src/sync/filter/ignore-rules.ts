import { type IgnorePattern, foldersOnTheWay, matchesPattern, parseIgnorePattern } from './ignore-pattern.ts';

/** A rule as a person can find it again. */
export interface IgnoreRule {
  /** As it is written. */
  readonly text: string;
  /** Where it stands in its file, from 1; a built-in rule has no place. */
  readonly line?: number;
  /** It takes back what an earlier rule left out. */
  readonly isNegative: boolean;
}

/**
 * The rules of one ignore file. Of several that match, the last one counts.
 *
 * Most rules give away a name they need, or a letter: they are looked up by it, so that a long file costs a path hardly
 * more than a short one.
 */
export class IgnoreRules {
  readonly #names = new Map<string, LastRules>();
  readonly #paths = new Map<string, LastRules>();
  /** `*.ending`, by `.ending`. */
  readonly #endings = new Map<string, LastRules>();
  /** The others, the last first, by the name, the first letter or the last letter they need. */
  readonly #globsOfName = new Map<string, NumberedRule[]>();
  readonly #globsOfFirst = new Map<number, NumberedRule[]>();
  readonly #globsOfLast = new Map<number, NumberedRule[]>();
  readonly #globs: NumberedRule[] = [];
  readonly #ignoreCase: boolean;
  readonly size: number;

  constructor(rules: readonly { text: string; line?: number }[], ignoreCase = false) {
    this.#ignoreCase = ignoreCase;
    let order = 0;
    for (const { text, line } of rules) {
      const pattern = parseIgnorePattern(text, ignoreCase);
      if (!pattern) continue;
      const { isNegative } = pattern;
      const rule = line === undefined ? { text, isNegative } : { text, line, isNegative };
      this.#add({ order: order++, pattern, rule });
    }
    this.size = order;
  }

  static parse(text: string, ignoreCase = false): IgnoreRules {
    return new IgnoreRules(linesOf(text), ignoreCase);
  }

  /** The rule that decides about this one entry; its parents are not looked at. `path` is relative to the rules' folder. */
  match(path: string, name: string, isFolder: boolean): IgnoreRule | undefined {
    if (this.size === 0) return undefined;
    if (this.#ignoreCase) {
      path = path.toLowerCase();
      name = name.toLowerCase();
    }
    const kind = isFolder ? 'folder' : 'file';
    let last = this.#names.get(name)?.[kind];
    if (this.#paths.size > 0) last = later(last, this.#paths.get(path)?.[kind]);
    if (this.#endings.size > 0) {
      for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
        last = later(last, this.#endings.get(name.slice(dot))?.[kind]);
      }
    }
    last = laterGlob(last, this.#globsOfName.get(name), path, name, isFolder);
    last = laterGlob(last, this.#globsOfFirst.get(name.charCodeAt(0)), path, name, isFolder);
    last = laterGlob(last, this.#globsOfLast.get(name.charCodeAt(name.length - 1)), path, name, isFolder);
    return laterGlob(last, this.#globs, path, name, isFolder)?.rule;
  }

  #add(rule: NumberedRule): void {
    const { shape } = rule.pattern;
    switch (shape.type) {
      case 'name':
        return addPlain(this.#names, shape.name, rule);
      case 'path':
        return addPlain(this.#paths, shape.path, rule);
      case 'name-suffix':
        if (shape.suffix.startsWith('.')) return addPlain(this.#endings, shape.suffix, rule);
        if (shape.suffix !== '')
          return addGlob(this.#globsOfLast, shape.suffix.charCodeAt(shape.suffix.length - 1), rule);
        break;
      case 'name-glob': {
        const first = shape.glob[0];
        if (typeof first === 'number' && first >= 0 && first <= 0xffff) return addGlob(this.#globsOfFirst, first, rule);
        break;
      }
      case 'path-glob': {
        const name = shape.segments.at(-1);
        // Where the plain beginning ends within a name, the last segment may be only the rest of one.
        const isWholeName = shape.prefix === '' || shape.prefix.endsWith('/');
        if (typeof name === 'string' && isWholeName) return addGlob(this.#globsOfName, name, rule);
        break;
      }
    }
    this.#globs.unshift(rule);
  }
}

/**
 * The rules for the folders through which something is reached that these rules take back with `!`. Such a folder is
 * entered even where it is left out itself.
 */
export function parsePassages(text: string, ignoreCase = false): IgnoreRules {
  const takenBack = linesOf(text).filter((line) => parseIgnorePattern(line.text, ignoreCase)?.isNegative);
  const folders = takenBack.flatMap(({ text: rule, line }) =>
    foldersOnTheWay(rule).map((folder) => ({ text: folder, line })),
  );
  return new IgnoreRules(folders, ignoreCase);
}

interface NumberedRule {
  order: number;
  pattern: IgnorePattern;
  rule: IgnoreRule;
}

/** The last rule that speaks about a file, and about a folder, of one name. */
interface LastRules {
  file: NumberedRule | undefined;
  folder: NumberedRule | undefined;
}

function addPlain(map: Map<string, LastRules>, key: string, rule: NumberedRule): void {
  const before = map.get(key);
  map.set(key, { file: rule.pattern.isFolderOnly ? before?.file : rule, folder: rule });
}

function addGlob<Key>(map: Map<Key, NumberedRule[]>, key: Key, rule: NumberedRule): void {
  map.set(key, [rule, ...(map.get(key) ?? [])]);
}

function laterGlob(
  last: NumberedRule | undefined,
  globs: readonly NumberedRule[] | undefined,
  path: string,
  name: string,
  isFolder: boolean,
): NumberedRule | undefined {
  if (globs === undefined) return last;
  for (const glob of globs) {
    if (last && last.order > glob.order) return last;
    if (glob.pattern.isFolderOnly && !isFolder) continue;
    if (matchesPattern(glob.pattern.shape, path, name)) return glob;
  }
  return last;
}

function later(a: NumberedRule | undefined, b: NumberedRule | undefined): NumberedRule | undefined {
  return a && b ? (a.order > b.order ? a : b) : (a ?? b);
}

function linesOf(text: string): { text: string; line: number }[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line, index) => ({ text: line.endsWith('\r') ? line.slice(0, -1) : line, line: index + 1 }));
}
