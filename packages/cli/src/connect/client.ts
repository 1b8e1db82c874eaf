import type { FileEdit } from './edit/file-edit.ts';

/** Where a client is to be sent, and what lets it in. */
export interface Connection {
  /** Without a slash at its end. */
  url: string;
  token: string;
  /** The name that it asks for. */
  model: string;
}

/** Where a client keeps its things on this machine. */
export interface Surroundings {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  exists(path: string): boolean;
}

/** A file of a client, and what has to stand in it. */
interface FilePlan {
  path: string;
  edits: readonly FileEdit[];
}

/** The protocol that a client speaks, in which its connection is tried. */
export type ClientDialect = 'anthropic' | 'responses' | 'chat' | 'gemini' | 'ollama' | 'augment';

/** A program that can be connected: what it is called, where its settings are and what they have to say. */
export interface Client {
  id: string;
  title: string;
  /** The command that starts it, or a folder of its own, by which it is seen to be installed. */
  programs: readonly string[];
  folder(around: Surroundings): string;
  /** What its token may do. */
  tokenRole: 'models' | 'member';
  dialect: ClientDialect;
  plan(connection: Connection, around: Surroundings): FilePlan[];
  /** What a person has to know, in a sentence. */
  note?: string;
}
