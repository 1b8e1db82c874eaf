// The stand-in for the editor: `vscode` means this file wherever no editor is. It remembers what was asked of it and
// answers what a test told it to; whatever is not here is not used by the extension, or is tried in a real editor only.
import type * as real from 'vscode';
import { changedJsonc, parseJsonc, Verbatim } from './settings/edit-jsonc.ts';

/** What the editor was asked, and what it is to answer. Fresh for each test by `freshEditor()`. */
export interface StandInEditor {
  language: string;
  /** The person's settings, by their whole name: what their settings.json says. */
  settings: Record<string, unknown>;
  /** What the settings of the workspace say, by their whole name. */
  workspaceSettings: Record<string, unknown>;
  /** What those of a folder say, by its path. */
  folderSettings: Record<string, Record<string, unknown>>;
  /** Where a workspace of several folders is described. */
  workspaceFile: string | undefined;
  /** Names of settings that some extension declares; writing to others is refused, as the editor does. */
  declared: Set<string>;
  /** The person's settings.json. A file that is dirty takes no setting from an extension. So many edits are refused first. */
  settingsFile: { text: string; isDirty: boolean; isOpen: boolean; refusals: number };
  /** Each write: name, value, target. */
  written: [string, unknown, unknown][];
  commands: Map<string, (...given: unknown[]) => unknown>;
  /** Commands that were run but are the editor's own. */
  executed: [string, ...unknown[]][];
  /** What was said to the person: kind, text, buttons. */
  said: [kind: 'information' | 'warning' | 'error', text: string, ...buttons: unknown[]][];
  /** The answers of the person to messages, input boxes and lists, in order; nothing left means dismissed. */
  answers: unknown[];
  opened: string[];
  statusItems: real.StatusBarItem[];
  logged: string[];
  extensions: { id: string; isActive: boolean; extensionPath?: string }[];
  folders: string[];
  /** What was registered under `lm`, by vendor or id. */
  providers: Map<string, unknown>;
  panels: StandInPanel[];
}

/** A webview panel as a test sees it. */
export interface StandInPanel {
  viewType: string;
  title: string;
  html(): string;
  posted: unknown[];
  /** As if the page had sent it. */
  receive(message: unknown): void;
  close(): void;
}

let editor: StandInEditor = blankEditor();

/** A new editor with nothing in it; what was registered before is gone. */
export function freshEditor(): StandInEditor {
  editor = blankEditor();
  configurationChanged = new EventEmitter<real.ConfigurationChangeEvent>();
  foldersChanged = new EventEmitter<real.WorkspaceFoldersChangeEvent>();
  reported = new Map();
  return editor;
}

function blankEditor(): StandInEditor {
  return {
    language: 'en',
    ...blankSettings(),
    workspaceSettings: {},
    folderSettings: {},
    workspaceFile: undefined,
    declared: new Set(),
    written: [],
    commands: new Map(),
    executed: [],
    said: [],
    answers: [],
    opened: [],
    statusItems: [],
    logged: [],
    extensions: [],
    folders: [],
    providers: new Map(),
    panels: [],
  };
}

/** The settings and their file are one thing: what is set in the one is in the other. */
function blankSettings(): Pick<StandInEditor, 'settings' | 'settingsFile'> {
  let text = '{}';
  const settings: Record<string, unknown> = {};
  const set = (name: string, value: unknown) => {
    text = changedJsonc(text, name, value) ?? text;
    if (value === undefined) delete settings[name];
    else settings[name] = value;
    return true;
  };
  return {
    settings: new Proxy(settings, {
      set: (_settings, name, value) => set(String(name), value),
      deleteProperty: (_settings, name) => set(String(name), undefined),
    }),
    settingsFile: {
      get text() {
        return text;
      },
      set text(changed) {
        text = changed;
        for (const name of Object.keys(settings)) delete settings[name];
        Object.assign(settings, parseJsonc(new Verbatim(text)));
      },
      isDirty: false,
      isOpen: false,
      refusals: 0,
    },
  };
}

/** As the editor's: listeners are called in order, one that throws does not stop the next. */
export class EventEmitter<T> implements real.EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => unknown>();
  readonly event: real.Event<T> = (listener, thisArgs, disposables) => {
    const bound = thisArgs === undefined ? listener : (event: T) => listener.call(thisArgs, event);
    this.#listeners.add(bound);
    const disposable = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(disposable);
    return disposable;
  };
  fire(data: T): void {
    for (const listener of Array.from(this.#listeners)) {
      try {
        listener(data);
      } catch (error) {
        editor.logged.push(`a listener failed: ${String(error)}`);
      }
    }
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class Disposable {
  readonly #undo: () => unknown;
  constructor(undo: () => unknown) {
    this.#undo = undo;
  }
  static from(...disposables: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const each of disposables) each.dispose();
    });
  }
  dispose(): void {
    this.#undo();
  }
}

export class CancellationTokenSource {
  readonly #emitter = new EventEmitter<void>();
  readonly #state = { isCancelled: false };
  readonly token = asToken(this.#state, this.#emitter);
  cancel(): void {
    this.#state.isCancelled = true;
    this.#emitter.fire();
  }
  dispose(): void {
    this.#emitter.dispose();
  }
}

function asToken(state: { isCancelled: boolean }, emitter: EventEmitter<void>): real.CancellationToken {
  return {
    get isCancellationRequested() {
      return state.isCancelled;
    },
    onCancellationRequested: emitter.event as real.Event<unknown>,
  };
}

export class CancellationError extends Error {
  override readonly name = 'Canceled';
}

export class Uri {
  readonly #url: URL;
  constructor(url: URL) {
    this.#url = url;
  }
  static parse(value: string): Uri {
    return new Uri(new URL(value));
  }
  static file(path: string): Uri {
    return new Uri(new URL(`file://${path}`));
  }
  static joinPath(base: Uri, ...segments: string[]): Uri {
    const url = new URL(base.toString());
    url.pathname = [url.pathname.replace(/\/$/, ''), ...segments].join('/');
    return new Uri(url);
  }
  get scheme(): string {
    return this.#url.protocol.slice(0, -1);
  }
  get path(): string {
    return decodeURIComponent(this.#url.pathname);
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return this.#url.toString();
  }
}

export class ThemeColor {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  value: string;
  isTrusted = false;
  constructor(value = '') {
    this.value = value;
  }
}

export const StatusBarAlignment = { Left: 1, Right: 2 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const ViewColumn = { Active: -1, Beside: -2, One: 1 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 } as const;

export const env = {
  get language() {
    return editor.language;
  },
  asExternalUri: async (uri: Uri) => uri,
  openExternal: async (uri: Uri) => {
    editor.opened.push(uri.toString());
    return true;
  },
};

export const commands = {
  registerCommand(name: string, run: (...given: unknown[]) => unknown) {
    const own = editor;
    own.commands.set(name, run);
    return new Disposable(() => own.commands.delete(name));
  },
  async executeCommand(name: string, ...given: unknown[]) {
    const own = editor.commands.get(name);
    if (own !== undefined) return own(...given);
    if (name === 'workbench.action.openSettingsJson') editor.settingsFile.isOpen = true;
    editor.executed.push([name, ...given]);
    return undefined;
  },
};

const say =
  (kind: StandInEditor['said'][number][0]) =>
  async (text: string, ...buttons: unknown[]): Promise<unknown> => {
    editor.said.push([kind, text, ...buttons]);
    return editor.answers.shift();
  };

export class Range {
  readonly start: number;
  readonly end: number;
  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

export class WorkspaceEdit {
  readonly replaced: [range: Range, text: string][] = [];
  replace(_uri: Uri, range: Range, text: string): void {
    this.replaced.push([range, text]);
  }
}

export class TabInputText {
  readonly uri: Pick<real.Uri, 'scheme' | 'path'>;
  constructor(uri: Pick<real.Uri, 'scheme' | 'path'>) {
    this.uri = uri;
  }
}

/** The one document that the extension edits. Saving it tells everybody. */
const settingsDocument = {
  uri: {
    scheme: 'vscode-userdata',
    path: '/User/settings.json',
    toString: () => 'vscode-userdata:/User/settings.json',
  },
  get isDirty() {
    return editor.settingsFile.isDirty;
  },
  getText: () => editor.settingsFile.text,
  positionAt: (offset: number) => offset,
  async save() {
    reportChanges();
    return true;
  },
};

export const window = {
  get activeTextEditor() {
    return editor.settingsFile.isOpen ? { document: settingsDocument } : undefined;
  },
  tabGroups: {
    get all() {
      return editor.settingsFile.isOpen ? [{ tabs: [{ input: new TabInputText(settingsDocument.uri) }] }] : [];
    },
    async close() {
      editor.settingsFile.isOpen = false;
    },
  },
  showInformationMessage: say('information'),
  showWarningMessage: say('warning'),
  showErrorMessage: say('error'),
  showInputBox: async () => editor.answers.shift(),
  /** The answer of the test may be a function that picks from the list. */
  async showQuickPick(items: readonly unknown[] | Promise<readonly unknown[]>) {
    const list = await items;
    const answer = editor.answers.shift();
    return typeof answer === 'function' ? (answer as (list: readonly unknown[]) => unknown)(list) : answer;
  },
  createOutputChannel(name: string) {
    const own = editor;
    const write = (level: string) => (message: string) => own.logged.push(`${level} ${message}`);
    return {
      name,
      trace: write('trace'),
      debug: write('debug'),
      info: write('info'),
      warn: write('warn'),
      error: write('error'),
      append: write('text'),
      appendLine: write('text'),
      show: () => own.executed.push(['show the log']),
      dispose() {},
    } as unknown as real.LogOutputChannel;
  },
  createStatusBarItem(id: string): real.StatusBarItem {
    const item = { id, text: '', isShown: false, show() {}, hide() {}, dispose() {} };
    editor.statusItems.push(item as unknown as real.StatusBarItem);
    return item as unknown as real.StatusBarItem;
  },
  withProgress: async (_options: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
    work({ report() {} }, new CancellationTokenSource().token),
  createWebviewPanel(viewType: string, title: string) {
    const received = new EventEmitter<unknown>();
    const closed = new EventEmitter<void>();
    const posted: unknown[] = [];
    const webview = {
      html: '',
      cspSource: 'https://editor.invalid',
      asWebviewUri: (uri: Uri) => uri,
      onDidReceiveMessage: received.event,
      postMessage: async (message: unknown) => {
        posted.push(message);
        return true;
      },
    };
    const close = () => closed.fire();
    editor.panels.push({
      viewType,
      title,
      html: () => webview.html,
      posted,
      receive: (message) => received.fire(message),
      close,
    });
    return { viewType, title, webview, onDidDispose: closed.event, reveal() {}, dispose: close };
  },
};

let configurationChanged = new EventEmitter<real.ConfigurationChangeEvent>();
let foldersChanged = new EventEmitter<real.WorkspaceFoldersChangeEvent>();

export const workspace = {
  get textDocuments() {
    const other = { uri: Uri.file('/work/shop/User/settings.json') };
    return editor.settingsFile.isOpen ? [other, settingsDocument] : [other];
  },
  openTextDocument: async () => settingsDocument,
  fs: {
    readFile: async () => new TextEncoder().encode(editor.settingsFile.text),
    async writeFile(_uri: Uri, content: Uint8Array) {
      editor.settingsFile.text = new TextDecoder().decode(content);
      await settingsDocument.save();
    },
  },
  getWorkspaceFolder: ({ path }: Uri) => (path.startsWith('/work/shop/') ? { uri: Uri.file('/work/shop') } : undefined),
  async applyEdit({ replaced }: WorkspaceEdit) {
    if (editor.settingsFile.refusals > 0) {
      editor.settingsFile.refusals -= 1;
      return false;
    }
    for (const [{ start, end }, text] of replaced) {
      const { text: before } = editor.settingsFile;
      editor.settingsFile.text = before.slice(0, start) + text + before.slice(end);
    }
    return true;
  },
  get workspaceFolders() {
    return editor.folders.length === 0
      ? undefined
      : editor.folders.map((path, index) => ({ uri: Uri.file(path), name: path.split('/').at(-1) ?? path, index }));
  },
  get isTrusted() {
    return true;
  },
  get workspaceFile() {
    return editor.workspaceFile === undefined ? undefined : Uri.file(editor.workspaceFile);
  },
  onDidChangeWorkspaceFolders: ((listener, thisArgs, disposables) =>
    foldersChanged.event(listener, thisArgs, disposables)) as real.Event<real.WorkspaceFoldersChangeEvent>,
  onDidChangeConfiguration: ((listener, thisArgs, disposables) =>
    configurationChanged.event(listener, thisArgs, disposables)) as real.Event<real.ConfigurationChangeEvent>,
  getConfiguration(section = '', scope?: Uri) {
    const whole = (key: string) => (section === '' ? key : `${section}.${key}`);
    const levels = () => [
      editor.settings,
      editor.workspaceSettings,
      (scope === undefined ? undefined : editor.folderSettings[scope.path]) ?? {},
    ];
    const inForce = (key: string) => valueAt(levels().map(treeOf).reduce(merged), whole(key));
    return {
      get: (key: string, otherwise?: unknown) => inForce(key) ?? otherwise,
      has: (key: string) => inForce(key) !== undefined,
      inspect(key: string) {
        const [globalValue, workspaceValue, workspaceFolderValue] = levels().map((level) =>
          valueAt(treeOf(level), whole(key)),
        );
        return { key: whole(key), globalValue, workspaceValue, workspaceFolderValue };
      },
      async update(key: string, value: unknown, target: unknown) {
        const name = whole(key);
        if (!editor.declared.has(name)) throw new Error(`Unable to write ${name}: not a registered configuration.`);
        if (editor.settingsFile.isDirty) throw new Error(`Unable to write ${name}: the file has unsaved changes.`);
        editor.written.push([name, value, target]);
        changeSetting(name, value);
      },
    };
  },
};

/** As if the person had changed it by hand. */
export function changeSetting(name: string, value: unknown): void {
  if (value === undefined) delete editor.settings[name];
  else editor.settings[name] = value;
  reportChanges();
}

/** As if the workspace had changed: what its settings say, its folders, and what theirs say. */
export function changeWorkspace(
  changes: Partial<Pick<StandInEditor, 'workspaceSettings' | 'folders' | 'folderSettings' | 'workspaceFile'>>,
): void {
  Object.assign(editor, changes);
  if (changes.folders !== undefined) foldersChanged.fire({ added: [], removed: [] });
  reportChanges();
}

/** What each file said when the editor told of changes the last time, by file and name. */
let reported = new Map<string, string>();

/** As the editor does: what is reported are the names as they stand in a file, so of `"augment": { "advanced": … }` only `augment`. */
function reportChanges(): void {
  const files = { user: editor.settings, workspace: editor.workspaceSettings, ...editor.folderSettings };
  const now = new Map(
    Object.entries(files).flatMap(([file, settings]) =>
      Object.entries(settings).map(([name, value]) => [`${file} ${name}`, JSON.stringify(value)]),
    ),
  );
  const places = [...now.keys(), ...reported.keys()].filter((place) => now.get(place) !== reported.get(place));
  const names = places.map((place) => place.slice(place.indexOf(' ') + 1));
  reported = now;
  if (names.length === 0) return;
  configurationChanged.fire({
    affectsConfiguration: (section) => names.some((name) => name === section || name.startsWith(`${section}.`)),
  });
}

type Tree = Record<string, unknown>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As the editor reads a file: dots in a name are steps, and what comes later replaces what came before. */
function treeOf(settings: Readonly<Record<string, unknown>>): Tree {
  const tree: Tree = {};
  for (const [name, value] of Object.entries(settings)) {
    const steps = name.split('.');
    const last = steps.pop()!;
    let at: Tree | undefined = tree;
    for (const step of steps) {
      const next: unknown = (at[step] ??= {});
      at = isTree(next) ? next : undefined;
      if (at === undefined) break;
    }
    if (at !== undefined) at[last] = structuredClone(value);
  }
  return tree;
}

/** As the editor puts its levels together: field by field, all the way down. */
function merged(below: Tree, above: Tree): Tree {
  const both = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const under = below[name];
    both[name] = isTree(under) && isTree(value) ? merged(under, value) : value;
  }
  return both;
}

function valueAt(tree: Tree, name: string): unknown {
  return name.split('.').reduce<unknown>((value, step) => (isTree(value) ? value[step] : undefined), tree);
}

export const extensions = {
  getExtension: (id: string) => editor.extensions.find((each) => each.id.toLowerCase() === id.toLowerCase()),
  get all() {
    return editor.extensions;
  },
  onDidChange: () => new Disposable(() => {}),
};

const registerProvider = (id: string, provider: unknown) => {
  const own = editor;
  own.providers.set(id, provider);
  return new Disposable(() => own.providers.delete(id));
};

export const lm = {
  registerLanguageModelChatProvider: registerProvider,
  registerMcpServerDefinitionProvider: registerProvider,
  selectChatModels: async () => [],
};

export class McpHttpServerDefinition {
  readonly label: string;
  readonly uri: Uri;
  readonly headers: Record<string, string>;
  readonly version: string | undefined;
  constructor(label: string, uri: Uri, headers: Record<string, string> = {}, version?: string) {
    this.label = label;
    this.uri = uri;
    this.headers = headers;
    this.version = version;
  }
}

export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 } as const;
export const LanguageModelChatToolMode = { Auto: 1, Required: 2 } as const;

export class LanguageModelTextPart {
  value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolCallPart {
  callId: string;
  name: string;
  input: object;
  constructor(callId: string, name: string, input: object) {
    this.callId = callId;
    this.name = name;
    this.input = input;
  }
}

export class LanguageModelToolResultPart {
  callId: string;
  content: unknown[];
  constructor(callId: string, content: unknown[]) {
    this.callId = callId;
    this.content = content;
  }
}

export class LanguageModelDataPart {
  data: Uint8Array;
  mimeType: string;
  constructor(data: Uint8Array, mimeType: string) {
    this.data = data;
    this.mimeType = mimeType;
  }
  static image(data: Uint8Array, mimeType: string): LanguageModelDataPart {
    return new LanguageModelDataPart(data, mimeType);
  }
}

export class LanguageModelError extends Error {
  readonly code: string;
  constructor(message = '', code = '') {
    super(message);
    this.code = code;
  }
  static NotFound(message?: string): LanguageModelError {
    return new LanguageModelError(message, 'NotFound');
  }
}

/** The extension's context, with memory for secrets and state. `storage` is a folder of the test. */
export function standInContext(storage: string, extensionFolder = storage): real.ExtensionContext {
  const secrets = new Map<string, string>();
  const secretsChanged = new EventEmitter<{ key: string }>();
  const state = new Map<string, unknown>();
  return {
    subscriptions: [],
    extensionUri: Uri.file(extensionFolder),
    extensionPath: extensionFolder,
    globalStorageUri: Uri.file(storage),
    extensionMode: ExtensionMode.Test,
    extension: { id: 'dragoman.dragoman', packageJSON: { version: '0.1.0' } },
    asAbsolutePath: (path: string) => `${extensionFolder}/${path}`,
    secrets: {
      get: async (key: string) => secrets.get(key),
      async store(key: string, value: string) {
        secrets.set(key, value);
        secretsChanged.fire({ key });
      },
      async delete(key: string) {
        secrets.delete(key);
        secretsChanged.fire({ key });
      },
      onDidChange: secretsChanged.event,
    },
    globalState: {
      get: (key: string, otherwise?: unknown) => state.get(key) ?? otherwise,
      keys: () => [...state.keys()],
      async update(key: string, value: unknown) {
        if (value === undefined) state.delete(key);
        else state.set(key, value);
      },
      setKeysForSync() {},
    },
  } as unknown as real.ExtensionContext;
}
