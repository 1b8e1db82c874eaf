import { type PermissionSubject, unreadableCommand } from '@dragoman/protocol';
import { basename, isAbsolute } from 'node:path';
import { readShellText } from './bash-grammar.ts';
import { unwrapCommand } from './command-wrappers.ts';
import { type FoundLinks, isNoFile, pathsInWords, permissionPaths } from './file-commands.ts';
import { ReadingBudget, TooLong } from './reading-budget.ts';
import { OF_BASH_ALONE, scriptsInWords } from './script-commands.ts';
import { lexShell } from './shell-lexer.ts';
import { changesLaterCommands, isHarmlessVariable } from './shell-variables.ts';
import type { Assignment, Outcome, Redirect, SimpleCommand } from './shell-visitor.ts';
import { formatWord, hasNumber, isPattern, literalOf, pathOf, type ShellWord } from './shell-word.ts';
import { TouchedFiles } from './touched-files.ts';
import { walkShell } from './walk-shell.ts';
import { eitherFolder, resolveIn, type WorkingFolders } from './working-folders.ts';

/** Where a shell text will run. */
export interface ShellPlace {
  cwd: string;
  /** The project. */
  root: string;
  home: string;
  /** Names of the variables that the shell is handed. */
  inherited: ReadonlySet<string>;
  /** It is not bash that runs it. */
  isOtherShell?: boolean;
}

/** A program that a shell text starts by its name, or from where programs are, and where it stands then. */
export interface StartedProgram {
  name: string;
  /** The command it is told as; empty where it is told as what it wraps. */
  line: string;
  folders: WorkingFolders;
}

/**
 * What a shell text is about to do, as permissions ask for it.
 *
 * Each simple command in it is a subject, its words with one blank between and quotes only where they are needed: what
 * wraps another (`timeout 5 …`) is told as the inner command, and as itself too where it adds something (`sudo …`,
 * `xargs …`, an unusual variable in front). Files that are written by a redirect are paths, as are files outside the
 * project that a known file command names. A command that is fed a file is told with it too (`sort < list`).
 *
 * What a reader cannot know (a command in a variable, `eval`, a script piped into a shell, a text that is no shell text) is
 * told as the whole text between the marks of `unreadableCommand`, beside everything that was recognised: rules that allow
 * some commands never match it, rules that deny one of the recognised ones still do. A text that is too long to be read is
 * told so alone, and as unread.
 */
export async function commandSubjects(text: string, place: ShellPlace): Promise<PermissionSubject[]> {
  return (await readCommands(text, place)).subjects;
}

/**
 * The same, and beside it every path that the text may touch, as far as its words show: subjects that only count where
 * reading or editing them is denied. And the programs that it starts.
 */
export async function readCommands(
  text: string,
  place: ShellPlace,
): Promise<{ subjects: PermissionSubject[]; touched: PermissionSubject[]; programs: StartedProgram[] }> {
  const reader = new CommandReader(place);
  if (!(await reader.read(text, [place.cwd])))
    return {
      subjects: [{ kind: 'command', value: unreadableCommand(text), isUnread: true }],
      touched: [],
      programs: [],
    };
  const whole: PermissionSubject[] = reader.isReadable ? [] : [{ kind: 'command', value: unreadableCommand(text) }];
  const isPath = ({ kind }: PermissionSubject) => kind === 'path';
  const told = [...whole, ...reader.subjects.filter((each) => !isPath(each)), ...reader.subjects.filter(isPath)];
  // Of what runs nothing and writes nothing there is only the text. It must not stand for the tool as such.
  const subjects: PermissionSubject[] = told.length > 0 ? told : [{ kind: 'command', value: text.trim() }];
  return { subjects, touched: reader.touched, programs: reader.programs };
}

const RESERVED = new Set(
  '{ } ! [[ ]] if then elif else fi for while until do done case esac in select function time coproc'.split(' '),
);
const SYSTEM_FOLDER = /^\/(usr\/(local\/)?)?s?bin\/([^/]+)$|^\/opt\/homebrew\/bin\/([^/]+)$/;
/** Blanks that the grammar passes over and the shell does not, and what no screen shows. */
const STRANGE = /[[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cf}]--[ \t\n]]/v;
const DEEPEST = 8;
/** Options of `env`, `sudo`, `unshare` and `find` with which they run a command in another folder. */
const MOVES = /^(-[CDRw]|--(chdir|chroot|root|wd|workdir)|-(exec|ok)dir$)/;
/** What they run is a builtin where there is one. */
const RUN_BY_THE_SHELL = new Set(['builtin', 'command', 'time']);

/** On a longer text that is no shell, or has thousands of commands, the grammar takes seconds. */
const SHORT = 1_000;

class CommandReader {
  readonly #place: ShellPlace;
  readonly #seen = new Map<string, PermissionSubject>();
  /** Scripts inside the text, such as those of `sh -c`, to be read after it. */
  readonly #scripts: { text: string; folders: WorkingFolders; depth: number }[] = [];
  readonly #budget = new ReadingBudget();
  readonly #links: FoundLinks = new Map();
  readonly #touched: TouchedFiles;
  readonly programs: StartedProgram[] = [];
  #depth = 0;
  isReadable = true;

  constructor(place: ShellPlace) {
    this.#place = place;
    this.#touched = new TouchedFiles(place, this.#budget, this.#links);
  }

  get subjects(): PermissionSubject[] {
    return [...this.#seen.values()];
  }

  get touched(): PermissionSubject[] {
    return this.#touched.subjects;
  }

  /** Says whether it was short enough to be read. */
  async read(text: string, folders: WorkingFolders): Promise<boolean> {
    this.#scripts.push({ text, folders, depth: 0 });
    try {
      await this.#readScripts();
      return true;
    } catch (error) {
      if (error instanceof TooLong) return false;
      throw error;
    }
  }

  async #readScripts(): Promise<void> {
    for (let script = this.#scripts.shift(); script !== undefined; script = this.#scripts.shift()) {
      const { text: source, folders: start, depth } = script;
      this.#depth = depth;
      this.#budget.spend('characters', source.length);
      const isMistaken = this.#place.isOtherShell === true && OF_BASH_ALONE.test(source);
      if (STRANGE.test(source) || depth > DEEPEST || isMistaken) this.#unreadable();
      if (source.length > SHORT) checkWords(source);
      await readShellText(source, (program) => {
        this.#budget.spend('nodes', program.descendantCount);
        walkShell({ source, program }, start, {
          command: (command) => this.#command(command),
          redirect: (redirect) => this.#redirect(redirect),
          assignment: (assignment) => this.#assignment(assignment),
          unreadable: () => this.#unreadable(),
        });
      });
    }
  }

  #unreadable(): void {
    this.isReadable = false;
  }

  #tell(kind: PermissionSubject['kind'], value: string): void {
    if (value !== '') this.#seen.set(`${kind} ${value}`, { kind, value });
  }

  #command(command: SimpleCommand): Outcome {
    const { words, assignments, folders, inputs } = command;
    this.#budget.spend('commands');
    this.#budget.spend('words', words.length + assignments.length + inputs.length);
    const stays = { onSuccess: folders, after: folders };
    for (const { value } of assignments) this.#outsideValue(value);
    for (const { value } of assignments) this.#touched.value(value, { isWriting: words.length === 0 });
    if (words.length === 0) {
      for (const assignment of assignments) this.#assignment(assignment);
      return stays;
    }
    const line = this.#line(words);
    const unusual = assignments.filter((each) => !isHarmlessVariable(each));
    if (unusual.length > 0) this.#tell('command', [...unusual.map(formatAssignment), line].join(' '));

    const name = commandName(words[0]!);
    const inner = name === undefined ? undefined : unwrapCommand(name, words);
    // Of another folder it can be any program: `./timeout 5 ls`.
    const isKnown = name !== undefined && isFromSystem(words[0]!);
    const isTold = !isKnown || inner?.isTransparent !== true;
    if (isKnown) this.programs.push({ name, line: isTold ? line : '', folders });
    if (isTold) {
      this.#tell('command', line);
      if (inputs.length > 0) this.#tell('command', [line, ...inputs.map((file) => `< ${formatWord(file)}`)].join(' '));
    }
    for (const file of inputs) this.#touched.redirect({ isWriting: false, file, folders });
    this.#touched.words(name ?? '', command, inner !== undefined);
    if (name === undefined || (RESERVED.has(name) && inner === undefined)) this.#unreadable();
    else this.#known(name, command);

    const isMoved = isTold && (name === 'chroot' || words.some((word) => MOVES.test(literalOf(word) ?? '')));
    let outcome: Outcome = stays;
    for (const nested of inner?.inner ?? [])
      outcome = this.#nested(nested, isMoved ? { ...command, folders: undefined } : command);
    const spelled = literalOf(words[0]!)!;
    if (spelled === 'cd' || spelled === 'pushd' || spelled === 'popd') return this.#changeFolder(spelled, command);
    // Another program cannot change the folder of the shell.
    return RUN_BY_THE_SHELL.has(spelled) ? outcome : stays;
  }

  #nested(words: readonly ShellWord[], outer: SimpleCommand): Outcome {
    const name = commandName(words[0]!);
    if (name === undefined || RESERVED.has(name)) this.#unreadable();
    return this.#command({ ...outer, words, assignments: [] });
  }

  /** The words of a command, its name without the folder where that is where programs are. */
  #line(words: readonly ShellWord[]): string {
    const [first, ...rest] = words;
    const system = SYSTEM_FOLDER.exec(literalOf(first!) ?? '');
    return [system === null ? formatWord(first!) : (system[3] ?? system[4]), ...rest.map(formatWord)].join(' ');
  }

  /** What is known of a command by its name: the scripts among its words, and the files. */
  #known(name: string, { words, folders }: SimpleCommand): void {
    const arguments_ = words.slice(1);
    const { scripts, isUnreadable } = scriptsInWords(name, arguments_, this.#place.home);
    if (isUnreadable || arguments_.some(isUnknownFolder)) this.#unreadable();
    // A trap goes off wherever the shell is then.
    const start = name === 'trap' ? undefined : folders;
    for (const text of scripts) this.#scripts.push({ text, folders: start, depth: this.#depth + 1 });
    for (const path of pathsInWords(name, arguments_, this.#place.home)) this.#outsidePath(path, folders);
  }

  #changeFolder(name: string, { words, folders }: SimpleCommand): Outcome {
    const at = words.findIndex((word, index) => index > 0 && !/^-[LPe@]+$/.test(literalOf(word) ?? ''));
    const target = words[literalOf(words[at] ?? words[0]!) === '--' ? at + 1 : at];
    const path = target === undefined ? this.#place.home : pathOf(target, this.#place.home);
    const isLost =
      name === 'popd' ||
      path === undefined ||
      /^-$|^[-+]\d|^-n$/.test(path) ||
      (name === 'pushd' && target === undefined) ||
      (target !== undefined && isPattern(target));
    // It was known to be inside, and may lead out of the project from where nobody knows.
    if (!isLost && folders === undefined && !path.startsWith('/')) this.#unreadable();
    const moved = isLost ? undefined : resolveIn(folders, path);
    return { onSuccess: moved, after: eitherFolder(folders, moved) };
  }

  #redirect(redirect: Redirect): void {
    const { isWriting, file, folders } = redirect;
    this.#budget.spend('commands');
    this.#touched.redirect(redirect);
    const path = isPattern(file) ? undefined : pathOf(file, this.#place.home);
    if (path === undefined) {
      if (isWriting && !isSubstitution(file)) this.#unreadable();
      return;
    }
    if (!isWriting) return this.#outsidePath(path, folders);
    if (isNoFile(path)) return;
    const files = resolveIn(folders, path);
    if (files === undefined) this.#unreadable();
    for (const each of files ?? []) this.#tellPath(each);
  }

  #assignment(assignment: Assignment): void {
    this.#budget.spend('words');
    if (changesLaterCommands(assignment, this.#place.inherited)) this.#tell('command', formatAssignment(assignment));
    this.#outsideValue(assignment.value);
    this.#touched.value(assignment.value, { isWriting: true });
  }

  /** A path in a variable is told, because what uses the variable does not show it. */
  #outsideValue(value: ShellWord): void {
    const path = pathOf(value, this.#place.home);
    if (path !== undefined && /^\/[^/\s]|^\.\.(\/|$)/.test(path)) this.#outsidePath(path, [this.#place.cwd]);
  }

  #outsidePath(path: string, folders: WorkingFolders): void {
    const files = resolveIn(folders, path);
    if (files === undefined && /(^|\/)\.\.(\/|$)/.test(path)) this.#unreadable();
    for (const file of files ?? []) if (!isNoFile(file) && this.#pathsOf(file).some(isAbsolute)) this.#tellPath(file);
  }

  #tellPath(file: string): void {
    for (const path of this.#pathsOf(file)) this.#tell('path', path);
  }

  #pathsOf(file: string): string[] {
    return permissionPaths(file, this.#place.root, this.#links);
  }
}

/** The program's name without its folder; undefined when only the shell will know it. */
function commandName(word: ShellWord): string | undefined {
  const literal = literalOf(word);
  if (literal === undefined || literal === '' || isPattern(word) || hasNumber(word)) return undefined;
  return literal.includes('/') ? basename(literal) : literal;
}

/** `~+`, `~-` and `~1` are folders that the shell has been in, in or outside the project. */
function isUnknownFolder({ pieces: [first] }: ShellWord): boolean {
  return first?.kind === 'bare' && /^~[-+\d]/.test(first.text);
}

/** Whether the search path finds it, or it lies where programs are. */
function isFromSystem(word: ShellWord): boolean {
  const literal = literalOf(word) ?? '';
  return !literal.includes('/') || SYSTEM_FOLDER.test(literal);
}

function formatAssignment({ name, value }: Assignment): string {
  return `${name}=${formatWord(value)}`;
}

function isSubstitution({ pieces }: ShellWord): boolean {
  return pieces.length === 1 && /^[<>]\(/.test(pieces[0]!.text);
}

/** Refuses a long text that the lexer cannot read, or in which it finds too many words. The lexer is fast on any text. */
function checkWords(source: string): void {
  const lexed = lexShell(source);
  if (lexed === undefined) throw new TooLong('It is long, and cannot be read for sure.');
  new ReadingBudget().spend('words', lexed.words.length);
}
