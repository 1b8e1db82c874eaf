/** What a client is told: where the server is, what lets it in, and which name to ask for. */
export interface Connection {
  /** Without a slash at its end. */
  url: string;
  token: string;
  model: string;
}

/** One thing to do. Its words are in `connect-words.ts` under `notes`. */
export interface GuideStep {
  note: NoteName;
  /** The file it goes into. */
  file?: string;
  /** To be copied: a text for a file or a shell, or single values for a form. */
  code?: { text: string; language: string };
  values?: readonly { name: 'address' | 'key' | 'model'; text: string }[];
}

/** What a step says. */
export type NoteName =
  | 'shell'
  | 'orSettings'
  | 'intoFile'
  | 'keyInShell'
  | 'vscodeSettings'
  | 'session'
  | 'cursor'
  | 'cline'
  | 'anyClient'
  | 'install'
  | 'program'
  | 'messages'
  | 'models';

/** How one client is connected. */
export interface ClientGuide {
  id: string;
  /** What it calls itself; undefined where it is no product, and words say it. */
  title: string | undefined;
  /** What its token has to be allowed; calling models, where nothing is said. */
  tokenRole?: 'member';
  steps: (connection: Connection) => GuideStep[];
}
