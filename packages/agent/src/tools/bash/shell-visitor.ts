import type { ShellWord } from './shell-word.ts';
import type { WorkingFolders } from './working-folders.ts';

/** `NAME=value` in front of a command, or on its own. */
export interface Assignment {
  name: string;
  value: ShellWord;
}

/** A command with its words, and where it stands. */
export interface SimpleCommand {
  assignments: readonly Assignment[];
  words: readonly ShellWord[];
  folders: WorkingFolders;
  /** Files that are opened for it to read, or for a block that it stands in. */
  inputs: readonly ShellWord[];
}

/** A file that is opened for a command. */
export interface Redirect {
  isWriting: boolean;
  file: ShellWord;
  folders: WorkingFolders;
}

/** Where the shell stands after a statement: when it went well, and whatever happened. */
export interface Outcome {
  onSuccess: WorkingFolders;
  after: WorkingFolders;
}

/** Is told what a shell text does, in the order in which it is written. */
export interface ShellVisitor {
  command(command: SimpleCommand): Outcome;
  redirect(redirect: Redirect): void;
  /** A value that is kept in a variable of the shell. */
  assignment(assignment: Assignment): void;
  /** The text does something that cannot be told from reading it. */
  unreadable(reason: string): void;
}
