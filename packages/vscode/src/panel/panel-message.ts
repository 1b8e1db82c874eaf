import type { Settings } from '../settings/settings-store.ts';

/** What the page says. Keys only ever go this way. */
export type PanelMessage =
  | { type: 'ready' }
  | { type: 'save' | 'test'; change: Partial<Settings> }
  | { type: 'remove'; item: 'apiKey' | 'augmentToken' }
  | { type: 'run'; command: PanelCommand };

/** The commands that have a button in the panel. */
type PanelCommand = (typeof PANEL_COMMANDS)[number];

/** What the page is told. A key is never part of it: only whether there is one. */
export type PanelNews =
  | {
      type: 'state';
      values: Record<string, string>;
      isSet: { apiKey: boolean; augmentToken: boolean };
      searchWithRipgrep: boolean;
      serverText: string;
      isServerWell: boolean;
      augmentText: string;
      canConnect: boolean;
      canDisconnect: boolean;
      chatText: string;
    }
  | { type: 'problems'; problems: Record<string, string> }
  | { type: 'told'; kind: 'busy' | 'well' | 'bad'; text: string; isSaved?: boolean };

export const PANEL_COMMANDS = [
  'dragoman.useInChat',
  'dragoman.connectAugment',
  'dragoman.disconnect',
  'dragoman.openConsole',
  'dragoman.showLog',
] as const;
const TEXTS = ['baseUrl', 'model', 'systemPromptBase', 'augmentBaseUrl'] as const;
const NUMBERS = ['temperature', 'maxTokens'] as const;
const KEYS = ['apiKey', 'augmentToken'] as const;

/**
 * Reads what came from the page; anything else is nothing.
 *
 * The six items and the switch come whole. An empty key means that nobody typed one, and leaves what is kept.
 */
export function readPanelMessage(message: unknown): PanelMessage | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, values, item, command } = message as Record<string, unknown>;
  switch (type) {
    case 'ready':
      return { type };
    case 'save':
    case 'test':
      return typeof values === 'object' && values !== null
        ? { type, change: readChange(values as Record<string, unknown>) }
        : undefined;
    case 'remove':
      return item === 'apiKey' || item === 'augmentToken' ? { type, item } : undefined;
    case 'run': {
      const known = PANEL_COMMANDS.find((name) => name === command);
      return known === undefined ? undefined : { type, command: known };
    }
    default:
      return undefined;
  }
}

function readChange(values: Readonly<Record<string, unknown>>): Partial<Settings> {
  const change: Partial<Settings> = {};
  for (const name of TEXTS) {
    const value = values[name];
    if (typeof value === 'string') change[name] = name === 'systemPromptBase' ? value : value.trim();
  }
  for (const name of NUMBERS) {
    const value = values[name];
    // What is no number stays none, so that the check says so.
    if (typeof value === 'string') change[name] = value.trim() === '' ? undefined : Number(value);
  }
  for (const name of KEYS) {
    const value = values[name];
    if (typeof value === 'string' && value.trim() !== '') change[name] = value.trim();
  }
  const { searchWithRipgrep } = values;
  if (typeof searchWithRipgrep === 'boolean') change.searchWithRipgrep = searchWithRipgrep;
  return change;
}
