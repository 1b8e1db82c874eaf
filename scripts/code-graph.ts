import { posix } from 'node:path';
import { readModule, type SourceModule, type Statement } from './read-module.ts';

/** What code touches: the part of the product that runs because of it, or what a test is about. */
interface Walk {
  /** Files that are loaded. */
  files: Set<string>;
  statements: Set<Statement>;
  /** Where the walk ends: such a file is noted and not entered. */
  isOutside: (path: string) => boolean;
  /** The names of outside files that were met, as `path#name`, with what declares them; a file as a whole is its path. */
  met: Map<string, readonly Statement[]>;
}

/** What a test is about, as `path#name`, `path#name.member` or `path`. */
export interface Subjects {
  /** Whether it runs the program itself. */
  startsProgram: boolean;
  used: string[];
  /** What no entry point of the product reaches. */
  unused: string[];
}

/**
 * Which code runs because of which. It goes by names, not by files: what a file exports is used when something that is
 * used takes it, and a list of exports takes nothing.
 */
export class CodeGraph {
  readonly #files: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;
  readonly #entries: readonly string[];
  readonly #modules = new Map<string, SourceModule>();
  readonly #product: Walk = { files: new Set(), statements: new Set(), isOutside: isForTests, met: new Map() };
  /** The members that code in use takes, and how many statements of it mention a word. */
  readonly #takenMembers = new Set<string>();
  readonly #mentions = new Map<string, number>();

  /** Takes the text of each file by its path from the root of the repository. */
  constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
    this.#names = readNames(files);
    this.#entries = findEntries(files);
    for (const entry of this.#entries) {
      this.#load(this.#product, entry);
      // The editor calls what the main file of the extension exports.
      for (const name of this.#namesOf(entry)) this.#take(this.#product, entry, name);
    }
    const documented = documentedWords(files);
    for (const path of new Set(this.#names.values()))
      for (const name of this.#namesOf(path)) if (documented.has(name)) this.#take(this.#product, path, name);
    for (const { words, members } of this.#product.statements) {
      for (const member of members) this.#takenMembers.add(member);
      for (const word of words) this.#mentions.set(word, (this.#mentions.get(word) ?? 0) + 1);
    }
  }

  /** The statements of a file. */
  statementsOf(path: string): readonly Statement[] {
    return this.#module(path).statements;
  }

  /** What of the product a statement of a test is about, itself and through what only tests use. */
  subjectsOf(path: string, statement: Statement): Subjects {
    const walk: Walk = { files: new Set([path]), statements: new Set(), isOutside: isProduct, met: new Map() };
    for (const hook of this.#module(path).statements)
      if (
        hook.names.length + hook.titles.length === 0 &&
        hook.groups.every((group) => statement.groups.includes(group))
      )
        this.#visit(walk, path, hook);
    this.#visit(walk, path, statement);

    const startsProgram = this.#entries.some((entry) => walk.met.has(entry));
    const subjects: Subjects = { startsProgram, used: [], unused: [] };
    const calls = new Set([...walk.statements].flatMap((one) => [...one.calls]));
    for (const [name, declarations] of walk.met) {
      const isUsed =
        declarations.length === 0
          ? this.#product.files.has(name)
          : declarations.some((one) => this.#product.statements.has(one));
      (isUsed ? subjects.used : subjects.unused).push(name);
      for (const member of isUsed ? calls : [])
        if (declarations.some(({ words }) => words.has(member)) && !this.#isMemberUsed(member))
          subjects.unused.push(`${name}.${member}`);
    }
    return subjects;
  }

  /** Whether code in use takes the member, or mentions it elsewhere than where it is declared. */
  #isMemberUsed(member: string): boolean {
    return this.#takenMembers.has(member) || (this.#mentions.get(member) ?? 0) > 1;
  }

  #load(walk: Walk, path: string): void {
    if (walk.isOutside(path)) {
      walk.met.set(path, []);
      return;
    }
    if (walk.files.has(path)) return;
    walk.files.add(path);
    const { loads, statements } = this.#module(path);
    for (const from of loads) {
      const target = this.#resolve(path, from);
      // A test is not about every file that happens to be loaded with it.
      if (target !== undefined && !walk.isOutside(target)) this.#load(walk, target);
    }
    for (const statement of statements) if (statement.names.length === 0) this.#visit(walk, path, statement);
  }

  #visit(walk: Walk, path: string, statement: Statement): void {
    if (walk.statements.has(statement)) return;
    walk.statements.add(statement);
    const { imports, declared } = this.#module(path);
    for (const word of statement.words) {
      for (const own of declared.get(word) ?? []) this.#visit(walk, path, own);
      const binding = imports.get(word);
      const target = binding && this.#resolve(path, binding.from);
      if (target === undefined) continue;
      if (binding!.name === '*') this.#takeSome(walk, target, statement);
      else this.#take(walk, target, binding!.name);
    }
    for (const text of statement.paths) {
      const target = this.#resolve(path, text);
      if (target === undefined) continue;
      this.#load(walk, target);
      this.#takeSome(walk, target, statement);
    }
  }

  /** Of a file taken as a whole, the names that are mentioned; all of them where none is. */
  #takeSome(walk: Walk, path: string, { words, members }: Statement): void {
    const names = this.#namesOf(path);
    const mentioned = names.filter((name) => words.has(name) || members.has(name));
    for (const name of mentioned.length === 0 ? names : mentioned) this.#take(walk, path, name);
  }

  #take(walk: Walk, path: string, name: string): void {
    for (const found of this.#find(path, name)) {
      const declarations = this.#module(found.path).declared.get(found.name)!;
      if (walk.isOutside(found.path)) walk.met.set(`${found.path}#${found.name}`, declarations);
      else {
        this.#load(walk, found.path);
        for (const statement of declarations) this.#visit(walk, found.path, statement);
      }
    }
  }

  /** Where a name is declared that a file exports, through any number of lists of exports. */
  #find(path: string, name: string): { path: string; name: string }[] {
    const { exports, stars, imports, declared } = this.#module(path);
    let given = exports.get(name);
    if (typeof given === 'string') {
      if (declared.has(given)) return [{ path, name: given }];
      given = imports.get(given); // Imported by one statement and exported by another.
    }
    const bindings = given === undefined ? stars.map((from) => ({ from, name })) : [given];
    return bindings.flatMap((binding) => {
      const target = this.#resolve(path, binding.from);
      if (target === undefined) return [];
      return (binding.name === '*' ? this.#namesOf(target) : [binding.name]).flatMap((one) => this.#find(target, one));
    });
  }

  #namesOf(path: string): string[] {
    const { exports, stars } = this.#module(path);
    const targets = stars.flatMap((from) => this.#resolve(path, from) ?? []);
    return [...exports.keys(), ...targets.flatMap((target) => this.#namesOf(target))];
  }

  #module(path: string): SourceModule {
    let module = this.#modules.get(path);
    if (module === undefined) {
      module = readModule(this.#files.get(path) ?? '');
      this.#modules.set(path, module);
    }
    return module;
  }

  /** The file that a text in another one stands for, if it is one of ours. */
  #resolve(path: string, text: string): string | undefined {
    const named = this.#names.get(text.startsWith('#') ? packageOf(path) + text : text);
    const file = named ?? posix.join(posix.dirname(path), text);
    return [file, `${file}.ts`].find((one) => this.#files.has(one));
  }
}

/** The condition by which packages are read as sources. */
const SOURCE = '@dragoman/source';

interface Manifest {
  /** Where it stands. */
  folder: string;
  name: string;
  bin?: Record<string, string>;
  main?: string;
  exports?: Record<string, Record<string, string>>;
  imports?: Record<string, Record<string, string>>;
  scripts?: Record<string, string>;
}

/** `@dragoman/protocol/error`, or `packages/cli#main` for inside of one, and the file each stands for. */
function readNames(files: ReadonlyMap<string, string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const { folder, name, exports = {}, imports = {} } of manifests(files)) {
    for (const [subpath, { [SOURCE]: file }] of Object.entries(exports))
      if (file !== undefined) names.set(posix.join(name, subpath), posix.join(folder, file));
    for (const [subpath, { [SOURCE]: file }] of Object.entries(imports))
      if (file !== undefined) names.set(folder + subpath, posix.join(folder, file));
  }
  return names;
}

/**
 * What is started by its name: the program of a package, the main file of the extension, the scripts of a page, and what
 * `npm run` starts in a package or among the scripts. What a package exports is no entry by itself: the packages are parts
 * of one program, and a name that no other part takes does nothing for anyone. See `documentedWords` for the exception.
 */
function findEntries(files: ReadonlyMap<string, string>): string[] {
  const entries = manifests(files).flatMap(({ folder, bin = {}, main, scripts = {} }) => [
    ...Object.values(bin).map((file) => posix.join(folder, file)),
    ...(main === undefined ? [] : [posix.join(folder, main.replace(/^\.\/dist\/(.*)\.c?js$/, 'src/$1.ts'))]),
    ...Object.values(scripts).flatMap((script) => script.match(/\b(?:packages|scripts)\/\S+\.[jt]s\b/g) ?? []),
  ]);
  for (const [path, text] of files) {
    if (path.endsWith('/index.html'))
      for (const [, file] of text.matchAll(/<script[^>]* src="\/([^"]+)"/g))
        entries.push(posix.join(path, '..', file!));
    if (path.includes('/public/')) entries.push(path);
  }
  return entries.filter((path) => files.has(path));
}

/** The words in examples of TypeScript in the READMEs of packages: what is exported and shown there is for other programs. */
function documentedWords(files: ReadonlyMap<string, string>): Set<string> {
  const words = [...files]
    .filter(([path]) => path.startsWith('packages/') && path.endsWith('/README.md'))
    .flatMap(([, text]) => [...text.matchAll(/^```ts\n([^]*?)^```/gm)])
    .flatMap(([, example]) => example!.match(/[\w$]+/g) ?? []);
  return new Set(words);
}

function manifests(files: ReadonlyMap<string, string>): Manifest[] {
  return [...files]
    .filter(([path]) => posix.basename(path) === 'package.json')
    .map(([path, text]) => ({ ...(JSON.parse(text) as Manifest), folder: posix.dirname(path) }));
}

/** A test, or what only tests need. */
function isForTests(path: string): boolean {
  return /\.(?:test|fixture)\.tsx?$/.test(path) || path.startsWith('testkit/');
}

function isProduct(path: string): boolean {
  return path.startsWith('packages/') && !isForTests(path);
}

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}
