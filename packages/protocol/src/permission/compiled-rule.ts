import { commandSpellings, compileCommandPattern } from './command-pattern.ts';
import { compileHostPattern, hostTexts } from './host-pattern.ts';
import { compilePathPattern, isInGitFolder, normalizePath, type PermissionOptions } from './path-pattern.ts';
import type { PermissionRule, PermissionSubject } from './permission.ts';
import { countLiterals, isLiteral, matchesWildcard, parseWildcard, type Wildcard } from './wildcard.ts';

type Match = (texts: readonly string[]) => boolean;

const KINDS = ['path', 'command', 'host', 'name'] as const;

/** One rule with its pattern read for every kind of subject it can meet; its exceptions are read when they matter. */
export class CompiledRule {
  readonly rule: PermissionRule;
  readonly index: number;
  readonly tool: Wildcard;
  readonly toolLiterals: number;
  readonly layer: number;
  readonly literals: number;
  readonly isExact: boolean;
  readonly #options: PermissionOptions;
  readonly #patterns: Partial<Record<PermissionSubject['kind'], Match>> = {};
  #anywhere: Match | undefined;
  readonly #exceptions: Partial<Record<PermissionSubject['kind'], Match[]>> = {};

  constructor(rule: PermissionRule, index: number, options: PermissionOptions) {
    // The gap before a last `*` may be missing from the subject, so it is no part of what must be there.
    const text = rule.pattern.replace(/ \*$/, '*').replace(/^~(?=[/\\]|$)/, () => options.home ?? '~');
    const pattern = parseWildcard(text);
    this.rule = rule;
    this.index = index;
    this.tool = parseWildcard(rule.tool);
    this.toolLiterals = countLiterals(this.tool);
    this.layer = rule.layer ?? 0;
    this.literals = countLiterals(pattern);
    this.isExact = isLiteral(pattern);
    this.#options = options;
    for (const kind of rule.kind === undefined ? KINDS : [rule.kind])
      this.#patterns[kind] = this.#read(kind, rule.pattern, rule.action === 'allow');
  }

  /** Whether it is about the subject; where one of its `unless` says no, that one. A tool as such has a name without text. */
  verdict(subject: PermissionSubject | undefined, texts: readonly string[]): boolean | string {
    const kind = subject?.kind ?? 'name';
    const { rule } = this;
    if (rule.kind !== undefined && rule.kind !== subject?.kind) return false;
    if (this.#patterns[kind]?.(texts) !== true) return false;
    if (rule.unless === undefined) return true;
    const unless = (this.#exceptions[kind] ??= rule.unless.map((each) =>
      this.#read(kind, each, rule.action !== 'allow'),
    ));
    const exception = unless.findIndex((isExcepted) => isExcepted(texts));
    return exception === -1 ? true : rule.unless[exception]!;
  }

  /** What keeps an allow from a path that it would match if it were not about the project, in words. */
  outOfReach(subject: PermissionSubject | undefined, texts: readonly string[]): string | undefined {
    const { rule } = this;
    if (rule.action !== 'allow' || subject?.kind !== 'path') return undefined;
    if (rule.kind !== undefined && rule.kind !== 'path') return undefined;
    this.#anywhere ??= this.#read('path', rule.pattern, false);
    if (!this.#anywhere(texts)) return undefined;
    return isInGitFolder(texts[0]!) ? 'paths in a .git folder' : 'paths outside the project';
  }

  /** What makes things looser, such as the pattern of an allow or an exception of a deny, is read as narrowly as it can be. */
  #read(kind: PermissionSubject['kind'], pattern: string, isLoosening: boolean): Match {
    if (kind !== 'path' || this.rule.ignoresCase !== true)
      return readPattern(kind, pattern, isLoosening, this.#options);
    const matches = readPattern(kind, pattern.toLowerCase(), isLoosening, this.#options);
    return ([path]) => matches([path!.toLowerCase()]);
  }
}

/** The texts a subject is known by: the first is the subject as it stands, the others are what it may come down to. */
export function subjectTexts(subject: PermissionSubject | undefined, options: PermissionOptions): readonly string[] {
  switch (subject?.kind) {
    case undefined:
      return [''];
    case 'path':
      return [normalizePath(subject.value, options)];
    case 'command':
      return commandSpellings(subject.value);
    case 'host':
      return hostTexts(subject.value);
    case 'name':
      return [subject.value];
  }
}

function readPattern(
  kind: PermissionSubject['kind'],
  pattern: string,
  isLoosening: boolean,
  options: PermissionOptions,
): Match {
  switch (kind) {
    case 'path': {
      const matches = compilePathPattern(pattern, { ...options, isInsideOnly: isLoosening });
      return ([path]) => matches(path!);
    }
    case 'command': {
      const matches = compileCommandPattern(pattern);
      return isLoosening ? ([command]) => matches(command!) : (commands) => commands.some(matches);
    }
    case 'host': {
      const matches = compileHostPattern(pattern);
      return (hosts) => hosts.some(matches);
    }
    case 'name': {
      const wildcard = parseWildcard(pattern);
      return ([name]) => matchesWildcard(wildcard, name!);
    }
  }
}

/** The rule that wins first. */
export function byStrength(one: CompiledRule, other: CompiledRule): number {
  return (
    Number(other.rule.action === 'deny') - Number(one.rule.action === 'deny') ||
    other.layer - one.layer ||
    other.literals - one.literals ||
    Number(other.isExact) - Number(one.isExact) ||
    other.toolLiterals - one.toolLiterals ||
    other.index - one.index
  );
}
