import { hash } from 'node:crypto';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import { readProjectFile, repositoryRoot } from '@dragoman/server/files';
import { lookAt } from '../pipeline/look-at.ts';
import { AUGMENT_RULES, DEFAULT_RULES, SAFETY_RULES } from './built-in-rules.ts';
import { excludeFileOf } from './git-repository.ts';
import { type IgnoreRule, IgnoreRules, parsePassages } from './ignore-rules.ts';
import {
  ACCEPTED,
  NOT_A_FILE,
  type PathInfo,
  type PathType,
  type RejectedPath,
  ignoredBy,
  rulesUnreadable,
  unsupportedExtension,
} from './path-info.ts';

export interface FolderEntry {
  name: string;
  type: PathType;
}

export interface PathFilterOptions {
  /** Only files with one of these (`.ts`) are accepted. All are without. */
  extensions?: readonly string[] | undefined;
  /** Whether ignore files mean upper and lower case alike, as git does where the file system does. */
  ignoreCase?: boolean | undefined;
}

/** What one layer says about a path: nothing, that it is left out, or that it is taken back from the layers before. */
export interface LayerVerdict {
  layer: string;
  verdict: 'passes' | 'left out' | 'taken back';
  reason: string;
}

/** These say something about the rules in a folder, so a listing with the same ones has the same rules. */
const RULE_NAMES: ReadonlySet<string> = new Set(['.git', '.gitignore', '.augmentignore', '.dragomanignore']);

/** Ours, where a person takes back what git or the defaults leave out. The first one is the stronger. */
const OWN_IGNORE_FILES = ['.dragomanignore', '.augmentignore'];

/** Nobody writes so many rules; reading them would take longer than what they leave out. */
const MAX_RULE_BYTES = 1024 * 1024;

const AUGMENT_LAYER = 'default Augment rules';
const SAFETY_LAYER = 'Dragoman safety rules';
const DEFAULT_LAYER = 'Dragoman defaults';
const EXTENSION_LAYER = 'file extension';

/**
 * Which paths below a root are indexed.
 *
 * The layers, in this order: the safety rules (the original client's, then ours), `.gitignore` in every folder, our
 * defaults, `.augmentignore` and `.dragomanignore` in every folder, the file's extension. The two ignore files of ours may
 * take back what git and the defaults leave out; nothing takes back a safety rule.
 *
 * A filter remembers the rules it has read: make a new one when ignore files may have changed.
 */
export class PathFilter {
  readonly root: string;
  readonly extensions: ReadonlySet<string> | undefined;
  readonly ignoreCase: boolean;
  readonly augment: IgnoreRules = new IgnoreRules(AUGMENT_RULES.map((text) => ({ text })));
  readonly safety: IgnoreRules = new IgnoreRules(
    SAFETY_RULES.map((text) => ({ text })),
    true,
  );
  readonly defaults: IgnoreRules = new IgnoreRules(DEFAULT_RULES.map((text) => ({ text })));
  readonly #folders = new Map<string, LocalFilter>();

  constructor(root: string, options: PathFilterOptions = {}) {
    this.root = root;
    this.extensions = options.extensions && new Set(options.extensions);
    this.ignoreCase = options.ignoreCase ?? (process.platform === 'darwin' || process.platform === 'win32');
  }

  /**
   * The filter for the entries of one folder ('' for the root).
   *
   * `entries` is the folder's listing: an ignore file is read only if it is in there as a plain file. Without a listing
   * the filter looks for itself.
   */
  makeLocalFilter(folder: string, entries?: readonly FolderEntry[]): LocalFilter {
    const before = this.#folders.get(folder);
    if (before) return before;
    const present = entries
      ? entries.filter((entry) => RULE_NAMES.has(entry.name) && (entry.type === 'File' || entry.name === '.git'))
      : this.#lookForRules(folder);
    const local = folder === '' ? this.#openRoot(present) : this.#openFolder(folder, present);
    this.#folders.set(folder, local);
    return local;
  }

  #openRoot(present: readonly FolderEntry[]): LocalFilter {
    const outer = present.some(({ name }) => name === '.git') ? [] : this.#outerLevels();
    const rulesKey = keyOf([
      [AUGMENT_RULES, SAFETY_RULES, DEFAULT_RULES],
      [this.ignoreCase, this.extensions && [...this.extensions]],
      textsOf(outer),
    ]);
    return this.#addRules('', { git: outer, own: [], rulesKey, passage: undefined }, present);
  }

  #openFolder(folder: string, present: readonly FolderEntry[]): LocalFilter {
    const slash = folder.lastIndexOf('/');
    const parent = this.makeLocalFilter(slash === -1 ? '' : folder.slice(0, slash));
    const passage = parent.passageThrough(folder.slice(slash + 1));
    return this.#addRules(folder, { git: parent.git, own: parent.own, rulesKey: parent.rulesKey, passage }, present);
  }

  #addRules(folder: string, above: Inherited, present: readonly FolderEntry[]): LocalFilter {
    if (present.length === 0) return new LocalFilter(this, folder, above, []);
    const names = present.map(({ name }) => name).toSorted();
    const base = folder === '' ? '' : `${folder}/`;
    const path = join(this.root, folder);
    const read = (name: string) => (names.includes(name) ? this.#readLevel(join(path, name), this.root, base) : []);

    // What stands above a repository says nothing about its files.
    const isRepository = names.includes('.git');
    const exclude = isRepository ? this.#readExclude(path, base) : [];
    const git = [...read('.gitignore'), ...exclude];
    const own = OWN_IGNORE_FILES.flatMap(read);
    const rules: Inherited = {
      git: isRepository ? git : [...git, ...above.git],
      own: [...own, ...above.own],
      rulesKey: keyOf([above.rulesKey, folder, names, textsOf(git), textsOf(own)]),
      passage: above.passage,
    };
    return new LocalFilter(this, folder, rules, names);
  }

  /** The rules of the folders from the root's parent up to the repository the root stands in. */
  #outerLevels(): Level[] {
    const repository = repositoryRoot(this.root);
    if (repository === undefined) return [];
    const levels: Level[] = [];
    const wayToRoot = [this.root];
    for (let folder = dirname(this.root); ; folder = dirname(folder)) {
      levels.push(...this.#readLevel(join(folder, '.gitignore'), repository, '', pathWithin(folder, this.root)));
      if (folder === repository) break;
      wayToRoot.push(folder);
    }
    levels.push(...this.#readExclude(repository, '', pathWithin(repository, this.root)));
    // Somebody who asks for a folder that git leaves out means it.
    const isLeftOut = wayToRoot.some((folder) => {
      const below = pathWithin(folder, this.root).length;
      const rules = levels.map(({ prefix, rules: levelRules }) => {
        const path = prefix.slice(0, Math.max(0, prefix.length - below - 1));
        return path === '' ? undefined : levelRules.match(path, basename(folder), true);
      });
      return rules.find((rule) => rule !== undefined)?.isNegative === false;
    });
    return isLeftOut ? [] : levels;
  }

  #readExclude(repository: string, base: string, prefix = ''): Level[] {
    const file = excludeFileOf(repository);
    return this.#readLevel(file, dirname(dirname(file)), base, prefix);
  }

  /** One level or, where there is no such file or nothing in it, none. */
  #readLevel(file: string, project: string, base: string, prefix = ''): Level[] {
    try {
      const read = readProjectFile(file, { project, maxBytes: MAX_RULE_BYTES });
      if (read === undefined) return [];
      const text = read.bytes.toString('utf8');
      const rules = IgnoreRules.parse(text, this.ignoreCase);
      const passages = parsePassages(text, this.ignoreCase);
      return rules.size === 0 ? [] : [{ layer: file, base, prefix, text, rules, passages, unreadable: undefined }];
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const text = code ?? message;
      const unreadable = rulesUnreadable(file, text);
      return [{ layer: file, base, prefix, text, rules: EVERYTHING, passages: NOTHING, unreadable }];
    }
  }

  #lookForRules(folder: string): FolderEntry[] {
    return [...RULE_NAMES].flatMap((name) => {
      const stat = lookAt(join(this.root, folder, name));
      if (!stat) return [];
      return stat.isFile() || name === '.git' ? [{ name, type: 'File' as const }] : [];
    });
  }
}

/** What holds in one folder: its own rules and those above it. */
export class LocalFilter {
  /** Of several levels that say something, the first counts. */
  readonly git: readonly Level[];
  readonly own: readonly Level[];
  /** Equal keys mean the same rules for everything below. */
  readonly rulesKey: string;
  /** The names in the folder that the rules depend on. */
  readonly ruleNames: readonly string[];
  readonly #filter: PathFilter;
  readonly #base: string;
  /** Set in a folder that is left out but on the way to something taken back: why the rest of it is left out. */
  readonly #passage: RejectedPath | undefined;

  constructor(filter: PathFilter, folder: string, rules: Inherited, ruleNames: readonly string[]) {
    this.#filter = filter;
    this.#base = folder === '' ? '' : `${folder}/`;
    this.git = rules.git;
    this.own = rules.own;
    this.rulesKey = rules.rulesKey;
    this.#passage = rules.passage;
    this.ruleNames = ruleNames;
  }

  /** What becomes of an entry of this folder. */
  getPathInfo(name: string, type: PathType): PathInfo {
    const info = this.#decide(name, type);
    if (info.accepted || type !== 'Directory') return info;
    return this.#leadsToTakenBack(name, info) ? ACCEPTED : info;
  }

  /** Why most of a sub-folder stays left out although it is entered; undefined for any other folder. */
  passageThrough(name: string): RejectedPath | undefined {
    if (this.own.length === 0) return undefined;
    const info = this.#decide(name, 'Directory');
    return !info.accepted && this.#leadsToTakenBack(name, info) ? info : undefined;
  }

  /** Every layer's word about an entry, in the order in which they are asked. */
  explain(name: string, type: PathType): LayerVerdict[] {
    const filter = this.#filter;
    const path = this.#base + name;
    const isFolder = type === 'Directory';
    const safety = filter.safety.match(path, name, isFolder);
    const verdicts = [
      verdictOf(AUGMENT_LAYER, filter.augment.match(path, name, isFolder)),
      // Its exceptions are about most files, such as all that are code, and take nothing back from others.
      verdictOf(SAFETY_LAYER, safety?.isNegative === true ? undefined : safety),
    ];
    // Nothing takes these back, so nobody else is asked.
    if (verdicts.some(({ verdict }) => verdict === 'left out')) return verdicts;
    for (const level of this.git.toReversed()) verdicts.push(levelVerdict(level, path, name, isFolder));
    verdicts.push(verdictOf(DEFAULT_LAYER, filter.defaults.match(path, name, isFolder)));
    if (this.#passage) {
      const reason = `The folder is left out, and only what is taken back in it is not: ${this.#passage.format()}`;
      verdicts.push({ layer: this.#passage.layer, verdict: 'left out', reason });
    }
    for (const level of this.own.toReversed()) {
      const way = isFolder && level.passages.match(path.slice(level.base.length), name, true);
      const verdict = levelVerdict(level, path, name, isFolder);
      const isPassage = way && verdict.verdict === 'passes';
      verdicts.push(
        isPassage ? { ...verdict, verdict: 'taken back', reason: `Entered because of line ${way.line}` } : verdict,
      );
    }
    if (type === 'Other') verdicts.push({ layer: NOT_A_FILE.layer, verdict: 'left out', reason: NOT_A_FILE.format() });
    if (type === 'File' && filter.extensions) {
      const extension = extname(name);
      const isSupported = filter.extensions.has(extension);
      verdicts.push({
        layer: EXTENSION_LAYER,
        verdict: isSupported ? 'passes' : 'left out',
        reason: isSupported ? `${extension} is in the list` : unsupportedExtension(extension).format(),
      });
    }
    return verdicts;
  }

  #decide(name: string, type: PathType): PathInfo {
    const filter = this.#filter;
    const path = this.#base + name;
    const isFolder = type === 'Directory';

    const augment = filter.augment.match(path, name, isFolder);
    if (augment) return ignoredBy(AUGMENT_LAYER, augment);
    const safety = filter.safety.match(path, name, isFolder);
    if (safety && !safety.isNegative) return ignoredBy(SAFETY_LAYER, safety);

    const own = decideLevels(this.own, path, name, isFolder);
    if (!own?.accepted) {
      if (this.#passage) return this.#passage;
      const git = decideLevels(this.git, path, name, isFolder);
      if (git && !git.accepted) return git;
      const byDefault = filter.defaults.match(path, name, isFolder);
      if (byDefault) return ignoredBy(DEFAULT_LAYER, byDefault);
      if (own) return own;
    }

    if (type === 'Other') return NOT_A_FILE;
    if (type === 'File' && filter.extensions) {
      const extension = extname(name);
      if (!filter.extensions.has(extension)) return unsupportedExtension(extension);
    }
    return ACCEPTED;
  }

  #leadsToTakenBack(name: string, info: RejectedPath): boolean {
    if (info.layer === AUGMENT_LAYER || info.layer === SAFETY_LAYER) return false;
    const path = this.#base + name;
    return this.own.some((level) => level.passages.match(path.slice(level.base.length), name, true));
  }
}

/** One ignore file's rules. */
interface Level {
  /** The file's full path. */
  layer: string;
  /** The folder it stands in, relative to the root and with a `/`; '' for the root and for what is above it. */
  base: string;
  /** For a file above the root: the way from there to the root, with a `/`. */
  prefix: string;
  text: string;
  rules: IgnoreRules;
  passages: IgnoreRules;
  unreadable: RejectedPath | undefined;
}

/** What a folder has from those above it. */
interface Inherited {
  git: readonly Level[];
  own: readonly Level[];
  rulesKey: string;
  passage: RejectedPath | undefined;
}

const EVERYTHING = new IgnoreRules([{ text: '*' }]);
const NOTHING = new IgnoreRules([]);

function decideLevels(levels: readonly Level[], path: string, name: string, isFolder: boolean): PathInfo | undefined {
  for (const level of levels) {
    const rule = matchLevel(level, path, name, isFolder);
    if (rule) return rule.isNegative ? ACCEPTED : (level.unreadable ?? ignoredBy(level.layer, rule));
  }
  return undefined;
}

function matchLevel(level: Level, path: string, name: string, isFolder: boolean): IgnoreRule | undefined {
  return level.rules.match(level.prefix + path.slice(level.base.length), name, isFolder);
}

function levelVerdict(level: Level, path: string, name: string, isFolder: boolean): LayerVerdict {
  if (level.unreadable) return { layer: level.layer, verdict: 'left out', reason: level.unreadable.format() };
  return verdictOf(level.layer, matchLevel(level, path, name, isFolder));
}

function verdictOf(layer: string, rule: IgnoreRule | undefined): LayerVerdict {
  if (!rule) return { layer, verdict: 'passes', reason: 'No rule matches' };
  const place = rule.line === undefined ? '' : ` in line ${rule.line}`;
  return { layer, verdict: rule.isNegative ? 'taken back' : 'left out', reason: `${rule.text}${place}` };
}

function textsOf(levels: readonly Level[]): unknown {
  return levels.map(({ layer, text }) => [layer, text]);
}

function keyOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 16);
}

/** `a/b/` for `/x/a/b` within `/x`, '' for `/x` itself. */
function pathWithin(folder: string, inner: string): string {
  return inner === folder ? '' : `${relative(folder, inner).split(sep).join('/')}/`;
}
