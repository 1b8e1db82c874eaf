import { type Approval, MOST_COMMAND_CHARS, MOST_COMMANDS, unreadableCommand } from '@dragoman/protocol';

type Subjects = NonNullable<Approval['question']>['subjects'];

/** Redirections that neither read nor write a file. */
const HARMLESS_REDIRECTS = /(?<!\s)\s*(?:\d?>&\d|[\d&]?>\s*\/dev\/null)(?=\s|$|[;&|])/g;
/** Between two commands that both run, or may. */
const BETWEEN = /&&|\|\||[;|\n]/;
/** What makes a text more than words: substitutions, redirections, groups, jobs. */
const BEYOND_WORDS = /[<>$`(){}&\\\p{Cc}]/u;

/**
 * What a shell text is about to do, as the permission rules ask for it: each command in it is a subject, and all of them
 * have to be allowed.
 *
 * A text with more in it than commands of plain words is told as a whole too, between marks, so that a rule for a
 * beginning (`git *`) does not allow what stands behind it; its pieces still stand beside it, for rules that deny.
 *
 * The native agent reads its own commands with a grammar of the shell, and knows far more of them. This one is for commands
 * of agents that ask people themselves: it only has to be sure of what it calls plain. Of what is too much for the rules it
 * tells so much that they see that it is.
 */
export function commandSubjects(text: string): Subjects {
  const values = new Set<string>();
  for (const value of commandsIn(text, values)) {
    values.add(value);
    if (values.size > MOST_COMMANDS) break;
  }
  return [...values].map((value) => ({ kind: 'command', value }));
}

function* commandsIn(text: string, seen: ReadonlySet<string>): Generator<string> {
  if (text.length > MOST_COMMAND_CHARS) return yield unreadableCommand(text);
  const shell = text.trim().replace(HARMLESS_REDIRECTS, '');
  const pieces = splitUnquoted(shell);
  const isPlain = pieces !== undefined && pieces.every(({ isWords }) => isWords);
  const told = (pieces ?? shell.split(/[;&|\n(){}`]+/).map((piece) => ({ text: piece })))
    .map((piece) => piece.text.trim())
    .filter((piece) => piece !== '');
  if (!isPlain) yield unreadableCommand(text);
  yield* told;
  for (const command of told) yield* runBy(command, seen);
}

/** The commands between operators that no quotes hide; nothing where the quotes do not close. */
function splitUnquoted(shell: string): { text: string; isWords: boolean }[] | undefined {
  const pieces: { text: string; isWords: boolean }[] = [];
  let [piece, isWords, quote] = ['', true, ''];
  for (let at = 0; at < shell.length; at++) {
    const char = shell[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
      // Inside double quotes the shell still replaces variables and commands.
      else if (quote === '"' && /[$`\\]/.test(char)) isWords = false;
      piece += char;
      continue;
    }
    const operator = BETWEEN.exec(shell.slice(at, at + 2));
    if (operator?.index === 0) {
      pieces.push({ text: piece, isWords });
      [piece, isWords] = ['', true];
      at += operator[0].length - 1;
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if (BEYOND_WORDS.test(char)) isWords = false;
    piece += char;
  }
  pieces.push({ text: piece, isWords });
  return quote === '' ? pieces : undefined;
}

/** Commands and words of the shell that run the command behind them. */
const RUNNERS =
  /^(?:if|then|elif|else|do|while|until|coproc|!)$|^(?:\S*\/)?(?:sudo|doas|su|env|timeout|nice|ionice|nohup|setsid|stdbuf|time|command|builtin|exec|eval|xargs|parallel|watch|chroot|strace|flock|busybox)$/;
const SHELLS = /^(?:\S*\/)?(?:sh|bash|zsh|dash|ksh|fish)$/;

/**
 * What a command runs by way of another one: `rm x` in `timeout 5 rm x`, and what a shell is given with `-c`. Where an
 * option may or may not take the next word, both readings are told: a deny has to match either.
 */
function* runBy(command: string, seen: ReadonlySet<string>): Generator<string> {
  const [name = '', ...words] = command.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (SHELLS.test(name)) {
    const script = words[words.findIndex((word) => /^-\w*c$/.test(word)) + 1];
    const isGiven = words.some((word) => /^-\w*c$/.test(word)) && script !== undefined;
    if (isGiven) yield* commandsIn(script.replaceAll(/^["']|["']$/g, ''), seen);
    return;
  }
  if (!RUNNERS.test(name)) return;
  for (const [index, word] of words.entries()) {
    if (/^-|^[\d.]+[smhd]?$|^\w+=/.test(word)) continue;
    const inner = words.slice(index).join(' ');
    if (!seen.has(inner)) {
      yield inner;
      yield* runBy(inner, seen);
    }
    // Without an option before it, this word is the command for sure.
    if (!words[index - 1]?.startsWith('-')) break;
  }
}
