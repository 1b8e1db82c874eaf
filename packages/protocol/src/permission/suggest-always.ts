import { meaningfulWords } from './command-arity.ts';
import { commandName, normalizeCommand, splitWords } from './command-pattern.ts';
import { isInGitFolder, isInsideProject, normalizePath, type PermissionOptions } from './path-pattern.ts';
import { MAX_PATTERN_LENGTH } from './permissions-config.ts';
import type {
  PermissionExplanation,
  PermissionQuestion,
  PermissionRule,
  PermissionSubject,
  SubjectExplanation,
} from './permission.ts';
import { isUnreadableCommand } from './unreadable-command.ts';
import { escapeWildcard } from './wildcard.ts';

/** What would be allowed from now on. */
export type SuggestedRule = Pick<PermissionRule, 'tool' | 'kind' | 'pattern'>;

/** Programs that take a script: with its name they do one thing, with options they do anything. */
const INTERPRETERS =
  /^(bash|sh|zsh|dash|ksh|fish|pwsh|powershell|cmd|python[\d.]*|pypy[\d.]*|node|tsx|ts-node|ruby|perl|php|lua|osascript|Rscript)$/;

/** Commands that delete for good, reach other machines, or run whatever follows: never more than was asked. */
const ONLY_EXACT: ReadonlySet<string> = new Set(
  [
    'rm rmdir unlink shred dd truncate mkfs fdisk chmod chown chgrp kill killall pkill shutdown reboot crontab',
    'sudo doas su env command builtin exec eval source . nohup setsid time timeout nice xargs parallel watch find fd',
    'awk gawk sed ed vim vi emacs ssh scp sftp rsync curl wget nc ncat socat telnet at batch',
  ].flatMap((names) => names.split(' ')),
);
/** The same, where it is the second word that makes it so. */
const ONLY_EXACT_PAIRS: ReadonlySet<string> = new Set(
  'docker run,docker exec,podman run,podman exec,kubectl exec,kubectl delete,git clean,git config,deno eval,bun x'.split(
    ',',
  ),
);

/**
 * What "always, in this project" would store for a question: wide enough to be of use the next time, and not wider than
 * the person who says it would expect.
 *
 * With the explanation, only what had to be asked about gets a rule; and where a rule about just such subjects asked
 * (`.env` files), or one about the others did not apply (`rg *`, but not with `--pre`), it is the very subject and no
 * more. Nothing is offered where a part of it could not be stored, such as what nobody would read to the end: the next
 * time would be asked about all the same. Nor is anything for a command that cannot be read, which is allowed once at most.
 */
export function suggestAlways(
  question: PermissionQuestion,
  { explanation, ...options }: PermissionOptions & { explanation?: PermissionExplanation } = {},
): SuggestedRule[] {
  const { tool } = question;
  const subjects = question.subjects.filter(({ deniedAs }) => deniedAs === undefined);
  if (subjects.length === 0) return [{ tool, pattern: '*' }];
  if (subjects.some(({ kind, value }) => kind === 'command' && isUnreadableCommand(value))) return [];
  const suggested = new Map<string, SuggestedRule>();
  for (const [index, subject] of subjects.entries()) {
    const explained = explanation?.subjects[index];
    if (explained !== undefined && explained.action !== 'ask') continue;
    const pattern = isSpecial(explained) ? exactly(subject, options) : widely(subject, options);
    if (pattern === '' || pattern.length > MAX_PATTERN_LENGTH) return [];
    suggested.set(`${subject.kind} ${pattern}`, { tool, kind: subject.kind, pattern });
  }
  return [...suggested.values()];
}

function isSpecial(explained: SubjectExplanation | undefined): boolean {
  if (explained === undefined) return false;
  const isRuleForSuch = explained.rule !== undefined && !/^\*+$/.test(explained.rule.pattern);
  return isRuleForSuch || explained.heldBack.some(({ rule }) => rule.action === 'allow');
}

function exactly({ kind, value }: PermissionSubject, options: PermissionOptions): string {
  switch (kind) {
    case 'path':
      return exactPath(normalizePath(value, options));
    case 'command':
      return escapeWildcard(normalizeCommand(value));
    case 'host':
    case 'name':
      return escapeWildcard(value);
  }
}

function widely(subject: PermissionSubject, options: PermissionOptions): string {
  if (subject.kind === 'path') return folderOf(normalizePath(subject.value, options));
  if (subject.kind === 'command') return commandPrefix(subject.value) ?? exactly(subject, options);
  return exactly(subject, options);
}

/** Inside the project the folder with everything below; a file at the root stands for itself, the root is no folder of it. */
function folderOf(path: string): string {
  if (path === '.') return './**';
  const slash = path.lastIndexOf('/');
  if (!isInsideProject(path) || slash === -1 || isInGitFolder(path)) return exactPath(path);
  return `${exactPath(path.slice(0, slash))}/**`.replace(/^\.\/(?=[^~])/, '');
}

/** `./` says that a name at the root is meant, and not one at any depth. */
function exactPath(path: string): string {
  return isInsideProject(path) ? `./${escapeWildcard(path)}` : escapeWildcard(path);
}

/** The words that say what a command does, then ` *`; nothing where only the very command will do. */
function commandPrefix(command: string): string | undefined {
  const words = splitWords(command);
  const [first = '', second = '', third = ''] = words;
  if (ONLY_EXACT.has(commandName(first)) || ONLY_EXACT_PAIRS.has(`${commandName(first)} ${second}`)) return undefined;
  if (INTERPRETERS.test(commandName(first))) {
    const isModule = second === '-m' && /^[\w.]+$/.test(third);
    return isModule ? prefix([first, second, third]) : isPlain(second) ? prefix([first, second]) : undefined;
  }
  const meaningful = meaningfulWords(words);
  if (meaningful === undefined || !meaningful.words.every(isPlain)) return undefined;
  if (meaningful.isScript && meaningful.words.length === words.length) return words.join(' ');
  return prefix(meaningful.words);
}

function prefix(words: readonly string[]): string {
  return `${words.join(' ')} *`;
}

/** A word that is what it looks like: no option, no assignment, nothing the shell would change. */
function isPlain(word: string): boolean {
  return /^[\w@./:+%,-]+$/.test(word) && !word.startsWith('-');
}
