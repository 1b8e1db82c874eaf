import { byStrength, CompiledRule, subjectTexts } from './compiled-rule.ts';
import { describeBeyondLimits, describeDecision } from './describe-decision.ts';
import type { PermissionOptions } from './path-pattern.ts';
import {
  PERMISSION_LAYERS,
  type PermissionAction,
  type PermissionDecision,
  type PermissionExplanation,
  type PermissionQuestion,
  type PermissionRule,
  type PermissionSubject,
  type SubjectExplanation,
} from './permission.ts';
import { isBeyondLimits } from './question-limits.ts';
import { namesAll, riskOf, runningWords } from './running-words.ts';
import { isUnreadableCommand } from './unreadable-command.ts';
import { matchesWildcard } from './wildcard.ts';

/** Rules that are ready to answer. */
export interface CompiledPermissions {
  /** What they were compiled with. */
  readonly options: PermissionOptions;
  decide(question: PermissionQuestion): PermissionDecision;
  /** The same decision, with every rule that had a say. */
  explain(question: PermissionQuestion): PermissionExplanation;
  /** Whether anything is denied that a command of this tool could do. */
  holdsDenyForCommands(tool: string): boolean;
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
 * Where it is not certain what a subject is, the stricter reading counts: an allow is about the project alone, without its
 * `.git` folders, unless its pattern starts elsewhere (`/`, `~`, `../`) or names `.git`; an allow with wildcards does not
 * cover words by which a command runs another program (`git -c …`), unless it names them or is `*`; a command that cannot be
 * read is not allowed by a pattern where anything is denied that it could do; and a deny or ask for `rm *` also sees
 * `sudo /bin/rm x`. A question about more than `isBeyondLimits` permits is not looked at piece by piece.
 */
export function compilePermissions(
  rules: readonly PermissionRule[],
  options: PermissionOptions = {},
): CompiledPermissions {
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

  const denyFor = (tool: string, kind: PermissionSubject['kind']) =>
    rulesOf(tool).find(({ rule }) => rule.action === 'deny' && (rule.kind === undefined || rule.kind === kind))?.rule;

  /** A command can do all that is denied to `read` and `edit` too. */
  const denyForCommands = (tool: string) =>
    denyFor(tool, 'command') ?? denyFor('read', 'path') ?? denyFor('edit', 'path');

  const holdsDenyForCommands = (tool: string) => denyForCommands(tool) !== undefined;

  /** Many rules may ask for the same one. */
  const running = new WeakMap<PermissionSubject, readonly string[]>();
  const runningIn = (subject: PermissionSubject) => {
    const found = running.get(subject) ?? runningWords(subject.value);
    running.set(subject, found);
    return found;
  };

  /** Why an allow is not about a subject that looks like it, as a clause. */
  const objectionTo = (tool: string, allow: CompiledRule, subject: PermissionSubject | undefined) => {
    if (allow.rule.action !== 'allow' || subject === undefined) return undefined;
    const isSeen = allow.layer !== PERMISSION_LAYERS.approval || allow.isExact;
    if (subject.beyondDefaults !== undefined && (allow.layer === PERMISSION_LAYERS.defaults || !isSeen))
      return subject.beyondDefaults;
    if (subject.kind !== 'command' || allow.isExact) return undefined;
    if (isUnreadableCommand(subject.value))
      return holdsDenyForCommands(tool) ? 'it could get around a rule that denies something' : undefined;
    if (isAboutEverything(allow.rule)) return undefined;
    const unnamed = runningIn(subject).find((word) => !namesAll(allow.rule.pattern, [word]));
    return unnamed === undefined ? undefined : `${JSON.stringify(unnamed)} ${riskOf(unnamed)}`;
  };

  const decideSubject = (tool: string, subject: PermissionSubject | undefined): PermissionDecision => {
    const texts = subjectTexts(subject, options);
    let objection: string | undefined;
    const decisive = rulesOf(tool).find((rule) => {
      if (rule.verdict(subject, texts) !== true) return false;
      const own = objectionTo(tool, rule, subject);
      objection ??= own;
      return own === undefined;
    });
    return toDecision(tool, subject, decisive?.rule, objection);
  };

  /** What is only there to be denied: by rules of the tool it stands for. */
  const deniesOf = (subjects: readonly PermissionSubject[]): SubjectExplanation[] =>
    subjects.flatMap((subject) => {
      if (subject.deniedAs === undefined) return [];
      const texts = subjectTexts(subject, options);
      const matches = rulesOf(subject.deniedAs)
        .filter(({ rule }) => rule.action === 'deny' && !(subject.isGuess === true && isAboutEverything(rule)))
        .filter((rule) => rule.verdict(subject, texts) === true)
        .map(({ rule }) => rule);
      return matches.length === 0
        ? []
        : [{ ...toDecision(subject.deniedAs, subject, matches[0], undefined), matches, heldBack: [] }];
    });

  const explainSubject = (tool: string, subject: PermissionSubject | undefined): SubjectExplanation => {
    const texts = subjectTexts(subject, options);
    const matches: PermissionRule[] = [];
    const heldBack: SubjectExplanation['heldBack'] = [];
    let objection: string | undefined;
    for (const compiled of rulesOf(tool)) {
      const verdict = compiled.verdict(subject, texts);
      const own = verdict === true ? objectionTo(tool, compiled, subject) : undefined;
      if (own !== undefined) {
        if (matches.length === 0) objection ??= own;
        heldBack.push({ rule: compiled.rule, unless: own });
      } else if (verdict === true) matches.push(compiled.rule);
      else {
        const unless = verdict === false ? compiled.outOfReach(subject, texts) : verdict;
        if (unless !== undefined) heldBack.push({ rule: compiled.rule, unless });
      }
    }
    return { ...toDecision(tool, subject, matches[0], objection), matches, heldBack };
  };

  /**
   * What is too much to be looked at is denied where anything is denied that it could hold. A person's rule that allows
   * every command allows it, unless another asks.
   */
  const explainBeyondLimits = ({ tool, subjects }: PermissionQuestion): PermissionExplanation => {
    const told = subjectsOf(subjects);
    const kinds = [...new Set(told.map((subject) => subject?.kind ?? 'name'))];
    const denies = kinds.map((kind) => (kind === 'command' ? denyForCommands(tool) : denyFor(tool, kind)));
    const isPlain = kinds.every((kind) => kind === 'command');
    const rule = denies.find((deny) => deny !== undefined) ?? (isPlain ? allowOfAll(tool) : undefined);
    const decision = { action: rule?.action ?? 'ask', ...(rule && { rule }), reason: describeBeyondLimits(tool, rule) };
    const matches = rule === undefined ? [] : [rule];
    const explained = told.map((subject) => ({ ...decision, ...(subject && { subject }), matches, heldBack: [] }));
    return { ...withoutRules(explained[0]!), subjects: explained };
  };

  const allowOfAll = (tool: string) => {
    const all = rulesOf(tool).find(({ rule }) => isAboutEverything(rule) && rule.kind === undefined);
    const isAllow = all?.rule.action === 'allow' && all.layer > PERMISSION_LAYERS.defaults;
    const isAskedBeside = rulesOf(tool).some(({ rule, layer }) => rule.action === 'ask' && layer >= (all?.layer ?? 0));
    return isAllow && all.rule.unless === undefined && !isAskedBeside ? all.rule : undefined;
  };

  return {
    options,
    decide(question) {
      if (isBeyondLimits(question)) return withoutRules(explainBeyondLimits(question));
      const { tool, subjects } = question;
      const decision = strictest(subjectsOf(subjects).map((subject) => decideSubject(tool, subject)));
      const [denied] = decision.action === 'deny' ? [] : deniesOf(subjects);
      return denied === undefined ? decision : withoutRules(denied);
    },
    explain(question) {
      if (isBeyondLimits(question)) return explainBeyondLimits(question);
      const { tool, subjects } = question;
      const explained = [
        ...subjectsOf(subjects).map((subject) => explainSubject(tool, subject)),
        ...deniesOf(subjects),
      ];
      return { ...withoutRules(strictest(explained)), subjects: explained };
    },
    holdsDenyForCommands,
  };
}

function subjectsOf(subjects: readonly PermissionSubject[]): readonly (PermissionSubject | undefined)[] {
  const told = subjects.filter(({ deniedAs }) => deniedAs === undefined);
  return told.length === 0 ? [undefined] : told;
}

function isAboutEverything({ pattern }: PermissionRule): boolean {
  return /^(\.\/)?\*[*/]*$|^\.\/$/.test(pattern);
}

function withoutRules({ action, rule, subject, reason }: PermissionDecision): PermissionDecision {
  return { action, ...(rule && { rule }), ...(subject && { subject }), reason };
}

function strictest<Decision extends PermissionDecision>(decisions: readonly Decision[]): Decision {
  return decisions.reduce((one, other) => (STRICTNESS[other.action] > STRICTNESS[one.action] ? other : one));
}

function toDecision(
  tool: string,
  subject: PermissionSubject | undefined,
  rule: PermissionRule | undefined,
  objection: string | undefined,
): PermissionDecision {
  const action = rule?.action ?? 'ask';
  const reason = describeDecision(tool, subject, rule, action === 'ask' ? objection : undefined);
  return { action, ...(rule && { rule }), ...(subject && { subject }), reason };
}
