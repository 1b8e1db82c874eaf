import { childrenOf, namedChildrenOf, type ShellNode, tokensOf } from './bash-grammar.ts';
import { isWrapper } from './command-wrappers.ts';
import { ShellEvaluation } from './shell-evaluation.ts';
import { lexShell, type LexedShell, type LexedWord, type WordRole } from './shell-lexer.ts';
import type { Assignment, Outcome, ShellVisitor } from './shell-visitor.ts';
import { plainWord, readWord, type ShellWord } from './shell-word.ts';
import { isArithmetic, isStatement } from './statement-nodes.ts';
import { eitherFolder, type WorkingFolders } from './working-folders.ts';

interface Place {
  folders: WorkingFolders;
  depth: number;
  inputs: readonly ShellWord[];
}

const DEEPEST = 100;
/** What these do is relied on here; a function in their place does something else. */
const RELIED_ON = new Set(['cd', 'pushd', 'popd', 'eval', 'source', '.', 'trap', 'alias', 'date', 'seq', 'wc']);
const CHANGES_FOLDER = /(?<![\w./-])(?:cd|pushd|popd)(?![\w./-])/;
/** What changes its folder there changes it for nobody else. */
const SHELLS_OF_THEIR_OWN = new Set(['subshell', 'pipeline', 'command_substitution', 'process_substitution']);

/**
 * Goes through a shell text and tells every command in it, wherever it stands: in lists, pipelines, loops, functions,
 * substitutions, in strings and in here-documents.
 *
 * The grammar is not the shell. A text counts as read only where the lexer, which knows little and that for sure, finds the
 * same words in the same commands. Every other text, and one with a node that is not known here, is called unreadable, so
 * that what is told is either complete or known not to be.
 */
export function walkShell(
  { source, program }: { source: string; program: ShellNode },
  folders: WorkingFolders,
  visitor: ShellVisitor,
): Outcome {
  if (program.hasError) visitor.unreadable('it is not a complete shell text');
  return new Walk(program, lexShell(source), visitor).walk(folders);
}

class Walk {
  readonly #program: ShellNode;
  readonly #goesElsewhere: boolean;
  readonly #visitor: ShellVisitor;
  readonly #evaluation: ShellEvaluation;
  readonly #lexed: LexedShell | undefined;
  readonly #words: ReadonlyMap<string, LexedWord>;
  /** Of `#words`, those that the grammar found too. */
  readonly #found = new Set<LexedWord>();

  constructor(program: ShellNode, lexed: LexedShell | undefined, visitor: ShellVisitor) {
    this.#program = program;
    this.#lexed = lexed;
    this.#words = new Map(lexed?.words.map((word) => [`${word.role} ${word.start} ${word.end}`, word]));
    this.#goesElsewhere = CHANGES_FOLDER.test(withoutQuotes(program.text));
    this.#visitor = visitor;
    this.#evaluation = new ShellEvaluation(visitor);
  }

  walk(folders: WorkingFolders): Outcome {
    const outcome = this.#statements(this.#program, { folders, depth: 0, inputs: [] });
    for (const text of this.#lexed?.numbers ?? []) this.#evaluation.number(text);
    this.#evaluation.check(this.#program.text);
    if (!this.#isAgreed()) this.#visitor.unreadable('it cannot be told for sure what its words are');
    return outcome;
  }

  /** Whether the grammar found all that the lexer did. What it found beyond that was noticed before. */
  #isAgreed(): boolean {
    if (this.#lexed === undefined || this.#found.size < this.#lexed.words.length) return false;
    const tokens = tokensOf(this.#program);
    return this.#lexed.marks.every(({ start, end, type }) => tokens.has(`${type} ${start} ${end}`));
  }

  /** One after the other. */
  #statements(node: ShellNode, place: Place): Outcome {
    let outcome: Outcome = { onSuccess: place.folders, after: place.folders };
    for (const child of namedChildrenOf(node)) outcome = this.#statement(child, { ...place, folders: outcome.after });
    return outcome;
  }

  /** `redirects` are those that stand behind a list, a pipeline or a command, and belong to its last command. */
  #statement(node: ShellNode, from: Place, redirects: readonly ShellNode[] = []): Outcome {
    const place = { ...from, depth: from.depth + 1, inputs: [...from.inputs] };
    const stays: Outcome = { onSuccess: place.folders, after: place.folders };
    if (place.depth > DEEPEST) {
      this.#visitor.unreadable('it is nested too deep');
      return stays;
    }
    switch (node.type) {
      case 'comment':
        return stays;
      case 'command':
      case 'declaration_command':
      case 'unset_command':
        return this.#command(node, place, redirects);
      case 'redirected_statement':
        return this.#redirected(node, place, redirects);
      case 'list':
        return this.#list(node, place, redirects);
      case 'pipeline':
        return this.#pipeline(node, place, redirects);
      case 'negated_command': {
        const outcome = this.#only(node, place, redirects);
        return { onSuccess: outcome.after, after: outcome.after };
      }
      default:
    }
    for (const redirect of redirects) place.inputs.push(...this.#redirect(redirect, place, undefined));
    switch (node.type) {
      case 'subshell':
        this.#statements(node, place);
        return stays;
      case 'compound_statement':
        if (!node.text.startsWith('((')) return this.#statements(node, place);
        return this.#inside(node, place);
      case 'do_group':
        return this.#statements(node, place);
      case 'if_statement':
      case 'elif_clause':
      case 'else_clause':
        return this.#branches(node, place);
      case 'case_statement':
      case 'case_item':
        return this.#branches(node, place);
      case 'c_style_for_statement':
        return this.#loop(node, place);
      case 'for_statement':
      case 'while_statement':
        return this.#loop(node, place);
      case 'function_definition':
        return this.#function(node, place);
      case 'variable_assignment':
        this.#assignment(node, place);
        return stays;
      case 'variable_assignments':
        for (const child of namedChildrenOf(node)) this.#assignment(child, place);
        return stays;
      case 'test_command':
        return this.#inside(node, place);
      default:
        this.#visitor.unreadable(`"${node.type}" is not known here`);
        return this.#inside(node, place);
    }
  }

  #only(node: ShellNode, place: Place, redirects: readonly ShellNode[]): Outcome {
    const [child, ...others] = namedChildrenOf(node);
    if (child === undefined || others.length > 0) this.#visitor.unreadable(`"${node.type}" is not of one statement`);
    if (child === undefined) return { onSuccess: place.folders, after: place.folders };
    for (const other of others) this.#statement(other, place);
    return this.#statement(child, place, redirects);
  }

  #list(node: ShellNode, place: Place, redirects: readonly ShellNode[]): Outcome {
    const operator = childrenOf(node).find(({ isNamed }) => !isNamed)?.type;
    const [left, right, ...others] = namedChildrenOf(node);
    if (left === undefined || right === undefined || others.length > 0 || (operator !== '&&' && operator !== '||')) {
      this.#visitor.unreadable('a list of an unknown kind');
      return this.#inside(node, place);
    }
    const first = this.#statement(left, place);
    const isAnd = operator === '&&';
    const second = this.#statement(right, { ...place, folders: isAnd ? first.onSuccess : first.after }, redirects);
    return {
      onSuccess: isAnd ? second.onSuccess : eitherFolder(first.onSuccess, second.onSuccess),
      after: eitherFolder(first.after, second.after),
    };
  }

  /**
   * Each command of a pipeline is a shell of its own. A list is none, though the grammar puts it there: in
   * `cd a && b 2>&1 | c && cd d` both go to another folder for all that follows.
   */
  #pipeline(node: ShellNode, place: Place, redirects: readonly ShellNode[]): Outcome {
    const stages = namedChildrenOf(node);
    let { folders } = place;
    for (const [index, stage] of stages.entries()) {
      const outcome = this.#statement(stage, { ...place, folders }, index === stages.length - 1 ? redirects : []);
      if (isList(stage)) folders = eitherFolder(folders, eitherFolder(outcome.onSuccess, outcome.after));
    }
    return { onSuccess: folders, after: folders };
  }

  #redirected(node: ShellNode, place: Place, outer: readonly ShellNode[]): Outcome {
    const redirects = namedChildrenOf(node).filter(({ type }) => type.endsWith('_redirect'));
    const bodies = namedChildrenOf(node).filter(({ type }) => !type.endsWith('_redirect'));
    if (bodies.length > 1) this.#visitor.unreadable('a redirect of several statements');
    const all = [...redirects, ...outer];
    if (bodies[0] !== undefined) return this.#statement(bodies[0], place, all);
    const words: ShellWord[] = [];
    const inputs = [...place.inputs];
    for (const redirect of all) inputs.push(...this.#redirect(redirect, place, words));
    const { folders } = place;
    if (words.length === 0) return { onSuccess: folders, after: folders };
    return this.#visitor.command({ assignments: [], words, folders, inputs });
  }

  #command(node: ShellNode, place: Place, redirects: readonly ShellNode[]): Outcome {
    if (isArithmetic(node)) {
      for (const redirect of redirects) this.#redirect(redirect, place, undefined);
      return this.#inside(node, place);
    }
    const assignments: Assignment[] = [];
    const words: ShellWord[] = [];
    const inputs = [...place.inputs];
    for (const child of childrenOf(node)) {
      if (child.type === 'variable_assignment' && node.type === 'command')
        assignments.push(this.#readAssignment(child, place));
      else if (child.type.endsWith('_redirect')) inputs.push(...this.#redirect(child, place, words));
      else if (child.type !== 'comment') this.#word(child, place, words);
    }
    for (const redirect of redirects) inputs.push(...this.#redirect(redirect, place, words));
    this.#evaluation.builtin(node, words);
    return this.#visitor.command({ assignments, words, folders: place.folders, inputs });
  }

  /** Adds the word, and tells what runs inside it. */
  #word(node: ShellNode, place: Place, words: ShellWord[], role?: WordRole): void {
    words.push(this.#read(node, role ?? (words.length === 0 ? 'name' : 'argument')));
    this.#inside(node, place);
  }

  /** The word as the lexer has it, for the grammar may take signs in it for others. */
  #read(node: ShellNode, role: WordRole): ShellWord {
    const { text, startIndex, endIndex } = node;
    const [start, end] = [
      startIndex + text.length - text.trimStart().length,
      endIndex - text.length + text.trimEnd().length,
    ];
    const lexed = this.#words.get(`${role} ${start} ${end}`);
    if (lexed !== undefined) this.#found.add(lexed);
    else this.#visitor.unreadable('a word that only the grammar finds');
    return lexed?.word ?? readWord(node);
  }

  #assignment(node: ShellNode, place: Place): void {
    this.#visitor.assignment(this.#readAssignment(node, place));
  }

  #keep(assignment: Assignment, written: string): void {
    this.#evaluation.keeps(assignment.name, written);
    this.#visitor.assignment(assignment);
  }

  #readAssignment(node: ShellNode, place: Place): Assignment {
    const [name, value] = [node.childForFieldName('name'), node.childForFieldName('value')];
    this.#inside(node, place);
    const plain = (name?.type === 'subscript' ? name.childForFieldName('name') : name)?.text ?? '';
    this.#evaluation.keeps(plain, value?.text ?? '');
    this.#read(node, 'assignment');
    return { name: plain, value: value === null ? plainWord('') : this.#read(value, 'value') };
  }

  /**
   * A redirect, with the words behind it.
   *
   * The grammar gives `> file` all words that follow; the first is the file, the others belong to the command, whose
   * words are `words`. A statement that is no simple command has none. Files that are opened for reading come back.
   */
  #redirect(node: ShellNode, place: Place, words: ShellWord[] | undefined): ShellWord[] {
    if (node.type === 'heredoc_redirect') return this.#heredoc(node, place, words);
    const parts = namedChildrenOf(node).filter(({ type }) => type !== 'file_descriptor');
    const operator = childrenOf(node).find(({ isNamed }) => !isNamed)?.type ?? '';
    const closes = operator.endsWith('-');
    const file = closes ? undefined : parts[0];
    const others = closes ? parts : parts.slice(1);
    const inputs: ShellWord[] = [];
    if (file !== undefined) {
      const read: ShellWord[] = [];
      this.#word(file, place, read, 'file');
      const isCopy = operator.endsWith('&') && /^(\d+-?|-)$/.test(file.text);
      if (node.type === 'file_redirect' && !isCopy) {
        this.#visitor.redirect({ isWriting: operator.includes('>'), file: read[0]!, folders: place.folders });
        if (operator.startsWith('<')) inputs.push(read[0]!);
      }
    }
    if (others.length > 0 && words === undefined) this.#visitor.unreadable('words behind a redirect');
    for (const other of others) this.#word(other, place, words ?? []);
    return inputs;
  }

  /** A here-document: its text may hold substitutions, and behind its mark the line goes on. */
  #heredoc(node: ShellNode, place: Place, words: ShellWord[] | undefined): ShellWord[] {
    const inputs: ShellWord[] = [];
    for (const [index, child] of childrenOf(node).entries()) {
      if (child.type === 'heredoc_start' || child.type === 'heredoc_end' || !child.isNamed) continue;
      if (child.type === 'heredoc_body') this.#inside(child, place);
      else if (child.type.endsWith('_redirect')) inputs.push(...this.#redirect(child, place, words));
      else if (node.fieldNameForChild(index) === 'argument') {
        if (words === undefined) this.#visitor.unreadable('words behind a here-document');
        this.#word(child, place, words ?? []);
      } else if (child.type !== 'file_descriptor') {
        // It is read from inside of what stands before it, and its folder does not come out again.
        if (changesFolder(child) || changesFolder(ownerOf(node)))
          this.#visitor.unreadable('a folder that is changed beside a here-document');
        this.#statement(child, place);
      }
    }
    return inputs;
  }

  /** It begins again where it ended, which can be anywhere when something in it goes to another folder. */
  #loop(node: ShellNode, place: Place): Outcome {
    const variable = node.type === 'for_statement' ? node.childForFieldName('variable')?.text : undefined;
    if (variable !== undefined && node.childForFieldName('value') === null)
      this.#keep({ name: variable, value: { pieces: [{ kind: 'dynamic', text: '"$@"' }] } }, '"$@"');
    return this.#branches(node, changesFolder(node) ? { ...place, folders: undefined } : place);
  }

  /** It runs where it is called, and may be called wherever the text goes. */
  #function(node: ShellNode, place: Place): Outcome {
    const name = withoutQuotes(node.childForFieldName('name')?.text ?? '');
    if (RELIED_ON.has(name) || isWrapper(name)) this.#visitor.unreadable('a function in place of a known command');
    this.#branches(node, this.#goesElsewhere ? { ...place, folders: undefined } : place);
    const folders = changesFolder(node) ? undefined : place.folders;
    return { onSuccess: folders, after: folders };
  }

  /** Any of the statements may have been left out, so what stood before may still be so. */
  #branches(node: ShellNode, place: Place): Outcome {
    let folders = place.folders;
    const variable = node.type === 'for_statement' ? node.childForFieldName('variable')?.text : undefined;
    for (const [index, child] of childrenOf(node).entries()) {
      if (!child.isNamed || child.type === 'comment') continue;
      const field = node.fieldNameForChild(index);
      if (isStatement(child) && child.type !== 'variable_assignment')
        folders = eitherFolder(folders, this.#statement(child, { ...place, folders }).after);
      else if (field === 'value' && variable !== undefined) {
        const values: ShellWord[] = [];
        this.#word(child, place, values, 'argument');
        this.#keep({ name: variable, value: values[0]! }, child.text);
      } else this.#inside(child, { ...place, folders });
    }
    return { onSuccess: folders, after: folders };
  }

  /** Finds what runs inside a word or an expression. */
  #inside(node: ShellNode, place: Place): Outcome {
    const stays = { onSuccess: place.folders, after: place.folders };
    if (node.type === 'command_substitution' || node.type === 'process_substitution') {
      this.#evaluation.substitution(node.text.trim());
      this.#statements(node, { ...place, depth: place.depth + 1 });
      return stays;
    }
    if (place.depth > DEEPEST) {
      this.#visitor.unreadable('it is nested too deep');
      return stays;
    }
    for (const child of namedChildrenOf(node)) {
      if (isStatement(child) && child.type !== 'variable_assignment') this.#statement(child, place);
      else this.#inside(child, { ...place, depth: place.depth + 1 });
    }
    return stays;
  }
}

/** Whether something in it goes to another folder, for all that follows. */
function changesFolder(node: ShellNode): boolean {
  if (SHELLS_OF_THEIR_OWN.has(node.type) && !(node.type === 'pipeline' && namedChildrenOf(node).some(isList)))
    return false;
  if (node.type === 'command') return CHANGES_FOLDER.test(withoutQuotes(node.text));
  return namedChildrenOf(node).some(changesFolder);
}

/** Whether it is a list, whatever stands before or behind it. */
function isList(node: ShellNode): boolean {
  if (node.type === 'list') return true;
  return (
    (node.type === 'redirected_statement' || node.type === 'negated_command') && namedChildrenOf(node).some(isList)
  );
}

/** The command that a here-document is for. */
function ownerOf(heredoc: ShellNode): ShellNode {
  let owner = heredoc.parent!;
  while (owner.type === 'redirected_statement' || owner.type === 'list' || owner.type === 'negated_command')
    owner = namedChildrenOf(owner).findLast(({ type }) => !type.endsWith('_redirect')) ?? heredoc;
  return owner;
}

function withoutQuotes(text: string): string {
  return text.replaceAll('\\\n', '').replace(/["'\\$]/g, '');
}
