import { DragomanError } from '@dragoman/protocol';
import * as vscode from 'vscode';
import { checkSettingsChange } from './check-settings-change.ts';
import { type ServerSettings, toServerSettings } from './server-settings.ts';

/** The eight items of the settings panel, and its switch. */
export interface Settings {
  baseUrl: string;
  model: string;
  temperature: number | undefined;
  maxTokens: number | undefined;
  systemPromptBase: string;
  augmentBaseUrl: string;
  /** Questions about code are answered by ripgrep, in what is open in the editor. */
  searchWithRipgrep: boolean;
  apiKey: string | undefined;
  augmentToken: string | undefined;
}

/** Where they are kept: two items in secrets, six and the switch in globalState. */
export interface SettingsStore {
  read(): Promise<Settings>;
  /** Takes what is given and leaves the rest; `undefined` takes an item away. Refuses what cannot be right. */
  save(change: Partial<Settings>): Promise<void>;
  serverSettings(): Promise<ServerSettings>;
  /** After something is really different, in this window or, for a key, in another. */
  readonly onDidChange: vscode.Event<void>;
}

/** The items in globalState, with what each is where nothing was saved. */
const KEPT = {
  baseUrl: '',
  model: '',
  temperature: undefined,
  maxTokens: undefined,
  systemPromptBase: '',
  augmentBaseUrl: '',
  searchWithRipgrep: false,
} as const satisfies Partial<Settings>;
const SECRET = ['apiKey', 'augmentToken'] as const;

/** The items as the editor keeps them. Their names in its stores begin with `dragoman.`. */
export function openSettingsStore({
  globalState,
  secrets,
  subscriptions,
}: Pick<vscode.ExtensionContext, 'globalState' | 'secrets' | 'subscriptions'>): SettingsStore {
  const changed = new vscode.EventEmitter<void>();
  let saving: Promise<unknown> = Promise.resolve();
  /** While this window saves, the event of its own secrets is part of the save. */
  let isSaving = false;
  subscriptions.push(
    changed,
    secrets.onDidChange(({ key }) => {
      if (!isSaving && SECRET.some((name) => key === nameOf(name))) changed.fire();
    }),
  );

  const read = async (): Promise<Settings> => ({
    baseUrl: textOf(globalState.get(nameOf('baseUrl'))),
    model: textOf(globalState.get(nameOf('model'))),
    temperature: numberOf(globalState.get(nameOf('temperature'))),
    maxTokens: numberOf(globalState.get(nameOf('maxTokens'))),
    systemPromptBase: textOf(globalState.get(nameOf('systemPromptBase'))),
    augmentBaseUrl: textOf(globalState.get(nameOf('augmentBaseUrl'))),
    searchWithRipgrep: globalState.get(nameOf('searchWithRipgrep')) === true,
    apiKey: await secrets.get(nameOf('apiKey')),
    augmentToken: await secrets.get(nameOf('augmentToken')),
  });

  const write = async (change: Partial<Settings>): Promise<void> => {
    const before = await read();
    const after = { ...before, ...change };
    const [problem] = checkSettingsChange(before, change);
    if (problem !== undefined) throw new DragomanError('config-invalid', problem.sentence);
    const names = [...Object.keys(KEPT), ...SECRET] as (keyof Settings)[];
    const different = names.filter((name) => after[name] !== before[name]);
    const secret = SECRET.filter((name) => different.includes(name));
    const kept = different.filter((name): name is keyof typeof KEPT => name in KEPT);
    try {
      // An old key never stands beside a new address, also where this is cut short.
      for (const name of secret) if (isGiven(before[name])) await secrets.delete(nameOf(name));
      for (const name of kept)
        await globalState.update(nameOf(name), after[name] === KEPT[name] ? undefined : after[name]);
      for (const name of secret) if (isGiven(after[name])) await secrets.store(nameOf(name), after[name]);
    } finally {
      if (different.length > 0) changed.fire();
    }
  };

  return {
    read,
    save(change) {
      // One after the other: two that read at once would each miss what the other changes.
      const next = saving.then(async () => {
        isSaving = true;
        await write(change).finally(() => (isSaving = false));
      });
      saving = next.catch(() => {});
      return next;
    },
    serverSettings: async () => toServerSettings(await read()),
    onDidChange: changed.event,
  };
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function nameOf(item: keyof Settings): string {
  return `dragoman.${item}`;
}

/** What an older or newer version left there is no reason to fail. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
