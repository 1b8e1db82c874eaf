import { isPattern, literalOf, type ShellWord } from './shell-word.ts';

/** A command inside a command: `timeout 5 rm x` runs `rm x`. */
export interface Unwrapped {
  /** The inner commands, as words. */
  inner: readonly (readonly ShellWord[])[];
  /** Nothing but when and how it runs is changed, so that the inner command says all. */
  isTransparent: boolean;
}

interface Wrapper {
  /** Options that take the next word. */
  valued?: string;
  /** Options that stand alone; of a transparent wrapper every other one makes it opaque to us, and it is told as written. */
  flags?: string;
  /** Words before the command that are not options. */
  positionals?: number;
  /** `NAME=value` may stand before the command. */
  takesAssignments?: boolean;
  isTransparent?: boolean;
  /** Options with which it runs nothing. */
  inert?: string;
  /** Options that take the next word and change what the command takes itself for. */
  renaming?: string;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: { isTransparent: true },
  busybox: {},
  caffeinate: { flags: '-d -i -m -s -u', valued: '-t -w', isTransparent: true },
  chroot: { positionals: 1 },
  chrt: { positionals: 1, valued: '-T -P -D' },
  command: { flags: '-p', inert: '-v -V', isTransparent: true },
  doas: { valued: '-u -C -a' },
  env: { flags: '-i - --ignore-environment -0', valued: '-u -C --unset --chdir', takesAssignments: true },
  // `-c` takes all variables away, those that keep git in check too; `-a git-clean git` is `git clean`.
  exec: { valued: '-a', renaming: '-a', isTransparent: true },
  flock: { positionals: 1, valued: '-w -E --timeout --conflict-exit-code' },
  ionice: { flags: '-t', valued: '-c -n', inert: '-p -P -u', isTransparent: true },
  nice: { valued: '-n --adjustment', isTransparent: true },
  nohup: { isTransparent: true },
  parallel: { valued: '-j -N -n -S -a --jobs --colsep --delay --timeout --retries' },
  proxychains: { valued: '-f' },
  setsid: { flags: '-c -f -w --fork --wait --ctty', isTransparent: true },
  stdbuf: { valued: '-i -o -e --input --output --error', isTransparent: true },
  strace: { valued: '-e -o -p -s -u -E -a -P -O -S -I -b' },
  sudo: {
    valued: '-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --close-from',
    takesAssignments: true,
  },
  taskset: { positionals: 1 },
  time: { flags: '-p -v', valued: '-f --format', isTransparent: true },
  timeout: {
    flags: '--foreground --preserve-status -v --verbose',
    valued: '-k -s --kill-after --signal',
    positionals: 1,
    isTransparent: true,
  },
  unbuffer: { flags: '-p', isTransparent: true },
  unshare: { valued: '-S -G -R -w --setuid --setgid --root --wd' },
  watch: { valued: '-n -q --interval' },
  xargs: {
    valued: '-a -d -E -I -L -n -P -s --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --replace',
  },
};

const FIND_ACTIONS = new Set(['-exec', '-execdir', '-ok', '-okdir', '-x', '-X', '--exec', '--exec-batch']);

/** Whether a command is known to run another. */
export function isWrapper(name: string): boolean {
  return Object.hasOwn(WRAPPERS, name);
}

/** The commands that a command runs with the words it was given. Undefined when it is not of that kind. */
export function unwrapCommand(name: string, words: readonly ShellWord[]): Unwrapped | undefined {
  if (name === 'find' || name === 'fd' || name === 'fdfind' || name === 'gfind') return findActions(words);
  return isWrapper(name) ? behindOptions(WRAPPERS[name]!, words) : undefined;
}

function behindOptions(wrapper: Wrapper, words: readonly ShellWord[]): Unwrapped | undefined {
  const { valued: options, renaming, ...others } = wrapper;
  const [valued, flags, inert] = [options, others.flags, others.inert].map((text) => new Set(text?.split(' ')));
  let isTransparent = wrapper.isTransparent ?? false;
  let positionals = wrapper.positionals ?? 0;
  let index = 1;
  for (; index < words.length; index++) {
    const word = literalOf(words[index]!);
    if (word === undefined) {
      if (positionals-- > 0) continue;
      break;
    }
    if (inert!.has(word)) return undefined;
    if (word === '--') {
      index += 1 + positionals;
      break;
    }
    if (word.startsWith('-') && word !== '-') {
      if (word.slice(0, 2) === renaming) isTransparent = false;
      if (valued!.has(word)) index++;
      else if (!isAttached(word, valued!) && !flags!.has(word)) isTransparent = false;
    } else if (word === '-' && flags!.has('-')) {
      continue;
    } else if (!(wrapper.takesAssignments === true && /^\w+=/.test(word)) && positionals-- <= 0) {
      break;
    }
  }
  // What the shell fills in may be several words, of which the second is the command: `timeout $X ls`, `timeout {5,x} ls`.
  const isCertain = words.slice(1, index).every((word) => literalOf(word) !== undefined && !isPattern(word));
  return index < words.length ? { inner: [words.slice(index)], isTransparent: isTransparent && isCertain } : undefined;
}

/** `-n5`, `--signal=TERM`, and `nice`'s old `-5`. */
function isAttached(word: string, valued: ReadonlySet<string>): boolean {
  if (word.startsWith('--')) return word.includes('=') && valued.has(word.slice(0, word.indexOf('=')));
  return valued.has(word.slice(0, 2)) || /^-\d+$/.test(word);
}

function findActions(words: readonly ShellWord[]): Unwrapped | undefined {
  const inner: ShellWord[][] = [];
  for (let index = 1; index < words.length; index++) {
    if (!FIND_ACTIONS.has(literalOf(words[index]!) ?? '')) continue;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((word) => literalOf(word) === ';' || literalOf(word) === '+');
    const action = end === -1 ? rest : rest.slice(0, end);
    if (action.length > 0) inner.push([...action]);
  }
  return inner.length === 0 ? undefined : { inner, isTransparent: false };
}
