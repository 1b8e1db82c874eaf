import { commandSpellings, compileCommandPattern } from './command-pattern.ts';
import { describeDecision } from './describe-decision.ts';
import { compileHostPattern, hostTexts } from './host-pattern.ts';
import { compilePathPattern, normalizePath, type PermissionOptions } from './path-pattern.ts';
import type {
  PermissionAction,
  PermissionDecision,
  PermissionExplanation,
  PermissionQuestion,
  PermissionRule,
  PermissionSubject,
  SubjectExplanation,
} from './permission.ts';
import { countLiterals, isLiteral, matchesWildcard, parseWildcard, type Wildcard } from './wildcard.ts';

/** Rules that are ready to answer. */
export interface CompiledPermissions {
  /** What they were compiled with. */
  readonly options: PermissionOptions;
  decide(question: PermissionQuestion): PermissionDecision;
  /** The same decision, with every rule that had a say. */
  explain(question: PermissionQuestion): PermissionExplanation;
}

const STRICTNESS: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 };
/** Tools whose rules are kept at hand; names come from models, which make them up. */
const MAX_TOOLS = 256;

/**
 * Makes rules ready to decide. Each subject is decided alone, and the question as strictly as its strictest subject.
 *
 * Of the rules that match a subject, a deny always wins. Else the highest layer does, then the most specific pattern (the
 * one with more literal characters, and one without wildcards before one with them), then the more literal tool name, then
 * the later rule. What no rule matches is asked about.
 *
 * Patterns: `*` is any run of characters, slashes included, `?` one character; `[*]`, `[?]` and `[[]` are the characters
 * themselves. Paths: see `compilePathPattern`. A command that ends in ` *` also means the command without arguments.
 * `*.example.com` is every host below `example.com`, on any port where none is given.
 *
 * Where it is not certain what a subject is, the stricter reading counts: `*.ts` in an allow is about the project alone,
 * and a deny or ask for `rm *` also sees `sudo /bin/rm x`.
 */
export function compilePermissions(rules: readonly PermissionRule[], options: PermissionOptions = {}): CompiledPermissions {
  const strongestFirst = rules.map((rule, index) => new CompiledRule(rule, index, options)).sort(byStrength);
  const byTool = new Map<string, CompiledRule[]>();

  const rulesOf = (tool: string): CompiledRule[] => {
    let known = byTool.get(tool);
    if (known === undefined) {
      if (byTool.size >= MAX_TOOLS) byTool.clear();
      known = strongestFirst.filter((rule) => matchesWildcard(rule.tool, tool));
      byTool.set(tool, known);
    }
    return known;
  };

  const decideSubject = (tool: string, subject: PermissionSubject | undefined): PermissionDecision => {
    const texts = textsOf(subject, options);
    const decisive = rulesOf(tool).find((rule) => rule.verdict(subject, texts) === true);
    return toDecision(tool, subject, decisive?.rule);
  };

  const explainSubject = (tool: string, subject: PermissionSubject | undefined): SubjectExplanation => {
    const texts = textsOf(subject, options);
    const matches: PermissionRule[] = [];
    const heldBack: SubjectExplanation['heldBack'] = [];
    for (const compiled of rulesOf(tool)) {
      const verdict = compiled.verdict(subject, texts);
      if (verdict === true) matches.push(compiled.rule);
      else if (verdict !== false) heldBack.push({ rule: compiled.rule, unless: verdict });
    }
    return { ...toDecision(tool, subject, matches[0]), matches, heldBack };
  };

  return {
    options,
    decide: ({ tool, subjects }) => strictest(subjectsOf(subjects).map((subject) => decideSubject(tool, subject))),
    explain({ tool, subjects }) {
      const explained = subjectsOf(subjects).map((subject) => explainSubject(tool, subject));
      const { action, rule, subject, reason } = strictest(explained);
      return { action, ...(rule && { rule }), ...(subject && { subject }), reason, subjects: explained };
    },
  };
}

type Match = (texts: readonly string[]) => boolean;

/** One rule with its patterns read, each for the kinds of subject it has met so far. */
class CompiledRule {
  readonly rule: PermissionRule;
  readonly index: number;
  readonly tool: Wildcard;
  readonly toolLiterals: number;
  readonly layer: number;
  readonly literals: number;
  readonly isExact: boolean;
  readonly #options: PermissionOptions;
  readonly #patterns: Partial<Record<PermissionSubject['kind'], Match>> = {};
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
  }

  /** Whether it is about the subject; where one of its `unless` says no, that one. A tool as such has a name without text. */
  verdict(subject: PermissionSubject | undefined, texts: readonly string[]): boolean | string {
    const kind = subject?.kind ?? 'name';
    const { rule } = this;
    if (rule.kind !== undefined && rule.kind !== subject?.kind) return false;
    if (!(this.#patterns[kind] ??= this.#read(kind, rule.pattern, rule.action === 'allow'))(texts)) return false;
    if (rule.unless === undefined) return true;
    const unless = (this.#exceptions[kind] ??= rule.unless.map((each) => this.#read(kind, each, rule.action !== 'allow')));
    const exception = unless.findIndex((isExcepted) => isExcepted(texts));
    return exception === -1 ? true : rule.unless[exception]!;
  }

  /** What makes things looser, such as the pattern of an allow or an exception of a deny, is read as narrowly as it can be. */
  #read(kind: PermissionSubject['kind'], pattern: string, isLoosening: boolean): Match {
    return readPattern(kind, pattern, isLoosening, this.#options);
  }
}

/** The texts a subject is known by: the first is the subject as it stands, the others are what it may come down to. */
function textsOf(subject: PermissionSubject | undefined, options: PermissionOptions): readonly string[] {
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

function byStrength(one: CompiledRule, other: CompiledRule): number {
  return (
    Number(other.rule.action === 'deny') - Number(one.rule.action === 'deny') ||
    other.layer - one.layer ||
    other.literals - one.literals ||
    Number(other.isExact) - Number(one.isExact) ||
    other.toolLiterals - one.toolLiterals ||
    other.index - one.index
  );
}

function subjectsOf(subjects: readonly PermissionSubject[]): readonly (PermissionSubject | undefined)[] {
  return subjects.length === 0 ? [undefined] : subjects;
}

function strictest<Decision extends PermissionDecision>(decisions: readonly Decision[]): Decision {
  return decisions.reduce((one, other) => (STRICTNESS[other.action] > STRICTNESS[one.action] ? other : one));
}

function toDecision(
  tool: string,
  subject: PermissionSubject | undefined,
  rule: PermissionRule | undefined,
): PermissionDecision {
  const action = rule?.action ?? 'ask';
  const reason = describeDecision(tool, subject, rule);
  return { action, ...(rule && { rule }), ...(subject && { subject }), reason };
}
