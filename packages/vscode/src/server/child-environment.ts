/** What a server is told by its environment, beside what every program is told. */
export interface ServerEnvironment {
  home: string;
  token: string;
  /** The keys that the configuration refers to. */
  keys: Readonly<Record<string, string>>;
  /** The editor's own search program, where it has one. */
  ripgrep: string | undefined;
  /** The program is the editor itself, and would open a window without being told. */
  isEditor: boolean;
}

/** The editor's own business, what would change how Node runs, and what is meant for another server. */
const NOT_FOR_A_SERVER = /^(?:NODE_OPTIONS$|VSCODE_|ELECTRON_|DRAGOMAN_|npm_)/i;

/** The environment of a server: a person's own without the editor's, and the secrets that no argument may carry. */
export function childEnvironment(own: NodeJS.ProcessEnv, server: ServerEnvironment): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !NOT_FOR_A_SERVER.test(name))),
    ...server.keys,
    DRAGOMAN_HOME: server.home,
    DRAGOMAN_TOKEN: server.token,
    ...(server.ripgrep !== undefined && { DRAGOMAN_RIPGREP: server.ripgrep }),
    ...(server.isEditor && { ELECTRON_RUN_AS_NODE: '1' }),
  };
}
