import type { InputOf } from '../../../api/calls.ts';
import { readCommandLine, writeCommandLine } from '../shared/command-line.ts';
import { filledPairs, keptRecord, type Pair, pairsOf, plainRecord } from '../shared/pairs.ts';

/** What `mcp.NAME` will say, while it is edited. */
export interface McpDraft {
  kind: 'command' | 'url';
  name: string;
  command: string;
  cwd: string;
  env: readonly Pair[];
  url: string;
  headers: readonly Pair[];
  /** Settings that have no field here stay as they are. */
  rest: Readonly<Record<string, unknown>>;
}

/** What is wrong with a draft, by field. */
export type McpMistakes = Partial<
  Record<'name' | 'command' | 'url' | 'pairs', 'missing' | 'open-quote' | 'bad' | 'taken'>
>;

type Setting = InputOf<'testMcpServer'>['server'];

/** A new server. */
export const NEW_SERVER: McpDraft = {
  kind: 'command',
  name: '',
  command: '',
  cwd: '',
  env: [],
  url: '',
  headers: [],
  rest: {},
};

const FIELDS = new Set(['command', 'cwd', 'env', 'url', 'headers']);
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** A server of the file, to be edited. */
export function mcpDraftOf(name: string, setting: Readonly<Record<string, unknown>>): McpDraft {
  const { command, cwd, env, url, headers } = setting;
  return {
    kind: url === undefined ? 'command' : 'url',
    name,
    command: Array.isArray(command) ? writeCommandLine(command.map(String)) : '',
    cwd: typeof cwd === 'string' ? cwd : '',
    env: pairsOf(env),
    url: typeof url === 'string' ? url : '',
    headers: pairsOf(headers),
    rest: Object.fromEntries(Object.entries(setting).filter(([key]) => !FIELDS.has(key))),
  };
}

/** What has to be mended before it can be tried; a name is needed only to save it. */
export function mcpMistakes(draft: McpDraft, taken: readonly string[]): McpMistakes {
  const { kind, name, command, url } = draft;
  const line = readCommandLine(command);
  return {
    ...(!NAME.test(name.trim()) && { name: 'bad' }),
    ...(taken.includes(name.trim()) && { name: 'taken' }),
    ...(kind === 'command' && line.type === 'open-quote' && { command: 'open-quote' }),
    ...(kind === 'command' && line.type === 'read' && line.words.length === 0 && { command: 'missing' }),
    ...(kind === 'url' && !isWebAddress(url.trim()) && { url: 'bad' }),
    ...(filledPairs(pairsIn(draft)).some((pair) => pair.name.trim() === '') && { pairs: 'missing' }),
  };
}

/** What the server is tried with: with its variables and headers in the clear. */
export function triedServer(draft: McpDraft): Setting {
  return settingOf(draft, plainRecord(pairsIn(draft)));
}

/** What is saved: variables and headers are kept as secrets. */
export function keptServer(draft: McpDraft): { setting: Setting; secrets: Record<string, string> } {
  const what = draft.kind === 'command' ? 'env' : 'headers';
  const { record, secrets } = keptRecord(pairsIn(draft), `mcp.${draft.name.trim()}.${what}`);
  return { setting: settingOf(draft, record), secrets };
}

function settingOf(draft: McpDraft, pairs: Record<string, string>): Setting {
  const line = readCommandLine(draft.command);
  const hasPairs = Object.keys(pairs).length > 0;
  const cwd = draft.cwd.trim();
  if (draft.kind === 'url')
    return { ...(draft.rest as Setting), url: draft.url.trim(), ...(hasPairs && { headers: pairs }) };
  return {
    ...(draft.rest as Setting),
    command: line.type === 'read' ? line.words : [],
    ...(cwd !== '' && { cwd }),
    ...(hasPairs && { env: pairs }),
  };
}

function pairsIn({ kind, env, headers }: McpDraft): readonly Pair[] {
  return kind === 'command' ? env : headers;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}
