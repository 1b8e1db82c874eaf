import { childrenOf, namedChildrenOf, type ShellNode } from './bash-grammar.ts';
import { doubtAboutHeredoc, doubtAboutWords, hasAngle, isArithmetic, isStatement } from './grammar-doubts.ts';
import type { Assignment, Outcome, ShellVisitor } from './shell-visitor.ts';
import { literalOf, plainWord, readWord, type ShellWord, UnreadableWord } from './shell-word.ts';
import { eitherFolder, type WorkingFolders } from './working-folders.ts';

interface Place {
  folders: WorkingFolders;
  isRepeated: boolean;
  depth: number;
  inputs: readonly ShellWord[];
}

const DEEPEST = 100;
/** Builtins that take a name such as `a[…]` and work out what stands between the brackets. */
const EVALUATING = new Set(['let', 'unset', 'read', 'test', '[', 'wait', 'mapfile', 'readarray', '-v']);

/**
 * Goes through a shell text and tells every command in it, wherever it stands: in lists, pipelines, loops, functions,
 * substitutions, in strings and in here-documents.
 *
 * The grammar is not the shell. Where the two are known to part, and at every node that is not known here, the text is
 * called unreadable, so that what is told is either complete or known not to be.
 */
export function walkShell(program: ShellNode, folders: WorkingFolders, visitor: ShellVisitor): Outcome {
  if (program.hasError) visitor.unreadable('it is not a complete shell text');
  const walk = new Walk(visitor);
  const outcome = walk.statements(program, { folders, isRepeated: false, depth: 0, inputs: [] });
  walk.checkEvaluation(program.text);
  return outcome;
}

class Walk {
  readonly #visitor: ShellVisitor;
  #substitutions = 0;
  #evaluates = false;

  constructor(visitor: ShellVisitor) {
    this.#visitor = visitor;
  }

  /**
   * Where the shell works something out as a number, an index or a prompt, it runs substitutions that it finds in text which
   * was only quoted: `[[ 'a[$(rm x)]' -eq 0 ]]`. Such a text holds more substitutions than were told.
   */
  checkEvaluation(text: string): void {
    const written = (text.match(/\$\((?!\()/g)?.length ?? 0) + (text.match(/`/g)?.length ?? 0) / 2;
    if (this.#evaluates && written > this.#substitutions)
      this.#visitor.unreadable('a quoted substitution beside an evaluation');
  }

  /** One after the other. */
  statements(node: ShellNode, place: Place): Outcome {
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
        this.statements(node, place);
        return stays;
      case 'compound_statement':
        if (node.text.startsWith('((')) this.#evaluates = true;
        return node.text.startsWith('((') ? this.#inside(node, place) : this.statements(node, place);
      case 'do_group':
        return this.statements(node, place);
      case 'if_statement':
      case 'elif_clause':
      case 'else_clause':
        return this.#branches(node, place);
      case 'case_statement':
      case 'case_item':
        return this.#branches(node, place);
      case 'for_statement':
      case 'while_statement':
      case 'function_definition':
        return this.#branches(node, { ...place, isRepeated: true });
      case 'c_style_for_statement':
        this.#evaluates = true;
        return this.#branches(node, { ...place, isRepeated: true });
      case 'variable_assignment':
        this.#assignment(node, place);
        return stays;
      case 'variable_assignments':
        for (const child of namedChildrenOf(node)) this.#assignment(child, place);
        return stays;
      case 'test_command':
        this.#evaluates = true;
        if (namedChildrenOf(node).some(isStatement) || (!node.text.startsWith('[[') && hasAngle(node)))
          this.#visitor.unreadable('a command inside a test');
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

  /** Each command of a pipeline is a shell of its own. */
  #pipeline(node: ShellNode, place: Place, redirects: readonly ShellNode[]): Outcome {
    const stages = namedChildrenOf(node);
    for (const [index, stage] of stages.entries())
      this.#statement(stage, place, index === stages.length - 1 ? redirects : []);
    return { onSuccess: place.folders, after: place.folders };
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
    const { folders, isRepeated } = place;
    if (words.length === 0) return { onSuccess: folders, after: folders };
    return this.#visitor.command({ assignments: [], words, folders, inputs, isRepeated });
  }

  #command(node: ShellNode, place: Place, redirects: readonly ShellNode[]): Outcome {
    if (isArithmetic(node)) {
      this.#evaluates = true;
      for (const redirect of redirects) this.#redirect(redirect, place, undefined);
      return this.#inside(node, place);
    }
    const assignments: Assignment[] = [];
    const words: ShellWord[] = [];
    const inputs = [...place.inputs];
    this.#doubt(doubtAboutWords(node));
    for (const child of childrenOf(node)) {
      if (child.type === 'variable_assignment' && node.type === 'command')
        assignments.push(this.#readAssignment(child, place));
      else if (child.type.endsWith('_redirect')) inputs.push(...this.#redirect(child, place, words));
      else if (child.type !== 'comment') this.#word(child, place, words);
    }
    for (const redirect of redirects) inputs.push(...this.#redirect(redirect, place, words));
    if (node.type !== 'command' || words.some((word) => EVALUATING.has(literalOf(word) ?? ''))) this.#evaluates = true;
    const { folders, isRepeated } = place;
    return this.#visitor.command({ assignments, words, folders, inputs, isRepeated });
  }

  /** Adds the word, and tells what runs inside it. */
  #word(node: ShellNode, place: Place, words: ShellWord[]): void {
    const word = this.#readable(node);
    words.push(word ?? { pieces: [{ kind: 'dynamic', text: node.text }] });
    this.#inside(node, place);
  }

  #doubt(reason: string | undefined): void {
    if (reason !== undefined) this.#visitor.unreadable(reason);
  }

  #readable(node: ShellNode): ShellWord | undefined {
    try {
      return readWord(node);
    } catch (error) {
      if (!(error instanceof UnreadableWord)) throw error;
      this.#visitor.unreadable(error.message);
      return undefined;
    }
  }

  #assignment(node: ShellNode, place: Place): void {
    this.#visitor.assignment(this.#readAssignment(node, place));
  }

  #readAssignment(node: ShellNode, place: Place): Assignment {
    const [name, value] = [node.childForFieldName('name'), node.childForFieldName('value')];
    this.#inside(node, place);
    if (name?.type === 'subscript') this.#evaluates = true;
    else if (!/^[A-Za-z_]\w*$/.test(name?.text ?? '')) this.#visitor.unreadable('a name that no variable can have');
    return {
      name: (name?.type === 'subscript' ? name.childForFieldName('name') : name)?.text ?? node.text,
      value: (value === null ? undefined : this.#readable(value)) ?? plainWord(''),
    };
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
      this.#word(file, place, read);
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
    this.#doubt(doubtAboutHeredoc(node));
    const inputs: ShellWord[] = [];
    for (const [index, child] of childrenOf(node).entries()) {
      if (child.type === 'heredoc_start' || child.type === 'heredoc_end' || !child.isNamed) continue;
      if (child.type === 'heredoc_body') this.#inside(child, place);
      else if (child.type.endsWith('_redirect')) inputs.push(...this.#redirect(child, place, words));
      else if (node.fieldNameForChild(index) === 'argument') {
        if (words === undefined) this.#visitor.unreadable('words behind a here-document');
        this.#word(child, place, words ?? []);
      } else if (child.type !== 'file_descriptor') this.#statement(child, place);
    }
    return inputs;
  }

  /** Any of the statements may have been left out, so what stood before may still be so. */
  #branches(node: ShellNode, place: Place): Outcome {
    let folders = place.folders;
    for (const [index, child] of childrenOf(node).entries()) {
      if (!child.isNamed || child.type === 'comment') continue;
      const field = node.fieldNameForChild(index);
      if (isStatement(child)) folders = eitherFolder(folders, this.#statement(child, { ...place, folders }).after);
      else if (field === 'value' && node.type === 'for_statement') {
        const values: ShellWord[] = [];
        this.#word(child, place, values);
        this.#visitor.assignment({ name: undefined, value: values[0]! });
      } else this.#inside(child, { ...place, folders });
    }
    return { onSuccess: folders, after: folders };
  }

  /** Finds what runs inside a word or an expression. */
  #inside(node: ShellNode, place: Place): Outcome {
    const stays = { onSuccess: place.folders, after: place.folders };
    if (node.type === 'command_substitution' || node.type === 'process_substitution') {
      // Inside backticks a backslash is taken away before the text is read, so what the grammar reads is another text.
      if (/^\s*`[\s\S]*\\/.test(node.text)) this.#visitor.unreadable('an escape inside backticks');
      this.#substitutions++;
      this.statements(node, { ...place, depth: place.depth + 1 });
      return stays;
    }
    if (node.type === 'arithmetic_expansion' || node.type === 'subscript') this.#evaluates = true;
    if (node.type === 'expansion' && /[@!]/.test(node.text)) this.#evaluates = true;
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
