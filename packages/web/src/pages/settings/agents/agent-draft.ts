import type { InputOf } from '../../../api/calls.ts';
import { readCommandLine, writeCommandLine } from '../shared/command-line.ts';
import { filledPairs, keptRecord, type Pair, pairsOf, plainRecord } from '../shared/pairs.ts';

/** How an agent is described. `other`: a kind that is only edited in the file, apart from what all kinds have. */
export type AgentKind = 'acp' | 'text' | 'chat' | 'preset' | 'other';

/** What `agents.NAME` will say, while it is edited. */
export interface AgentDraft {
  kind: AgentKind;
  backend: string;
  name: string;
  title: string;
  command: string;
  env: readonly Pair[];
  model: string;
  route: string;
  system: string;
  input: 'stdin' | 'argument';
  /** Settings that have no field here stay as they are. */
  rest: Readonly<Record<string, unknown>>;
}

/** What is wrong with a draft, by field. */
export type AgentMistakes = Partial<
  Record<'name' | 'command' | 'env' | 'preset', 'missing' | 'open-quote' | 'bad' | 'taken'>
>;

type Setting = NonNullable<NonNullable<InputOf<'checkAgent'>>['agent']>;
type Json = Setting[string];

/** A new agent. */
export const NEW_AGENT: AgentDraft = {
  kind: 'acp',
  backend: 'acp',
  name: '',
  title: '',
  command: '',
  env: [],
  model: '',
  route: '',
  system: '',
  input: 'stdin',
  rest: {},
};

const FIELDS = new Set(['backend', 'title', 'command', 'env', 'model', 'route', 'system', 'input']);
const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** An agent of the file, to be edited. */
export function agentDraftOf(name: string, setting: Readonly<Record<string, unknown>>): AgentDraft {
  const text = (key: string) => (typeof setting[key] === 'string' ? setting[key] : '');
  const command = setting['command'];
  const backend = text('backend');
  return {
    kind: kindOf(backend, command),
    backend,
    name,
    title: text('title'),
    command: Array.isArray(command) ? writeCommandLine(command.map(String)) : '',
    env: pairsOf(setting['env']),
    model: text('model'),
    route: text('route'),
    system: text('system'),
    input: setting['input'] === 'argument' ? 'argument' : 'stdin',
    rest: Object.fromEntries(Object.entries(setting).filter(([key]) => !FIELDS.has(key))),
  };
}

/** What has to be mended before it can be saved. */
export function agentMistakes(draft: AgentDraft, taken: readonly string[]): AgentMistakes {
  const { kind, name, command, env } = draft;
  const line = readCommandLine(command);
  const needsCommand = kind === 'acp' || kind === 'text';
  return {
    ...(kind === 'preset' && name === '' && { preset: 'missing' }),
    ...(kind !== 'preset' && !NAME.test(name.trim()) && { name: 'bad' }),
    ...(taken.includes(name.trim()) && { name: 'taken' }),
    ...(line.type === 'open-quote' && { command: 'open-quote' }),
    ...(needsCommand && line.type === 'read' && line.words.length === 0 && { command: 'missing' }),
    ...(filledPairs(env).some((pair) => pair.name.trim() === '') && { env: 'missing' }),
  };
}

/** What the agent is tried with: with its variables in the clear. */
export function triedAgent(draft: AgentDraft): Setting {
  return settingOf(draft, plainRecord(draft.env));
}

/** What is saved: variables are kept as secrets. */
export function keptAgent(draft: AgentDraft): { setting: Setting; secrets: Record<string, string> } {
  const { record, secrets } = keptRecord(draft.env, `agents.${draft.name.trim()}.env`);
  return { setting: settingOf(draft, record), secrets };
}

function settingOf(draft: AgentDraft, env: Record<string, string>): Setting {
  const line = readCommandLine(draft.command);
  const command = line.type === 'read' ? line.words : [];
  const isProgram = draft.kind !== 'chat';
  const given: Record<string, Json | undefined> = {
    backend: draft.backend,
    title: filled(draft.title),
    ...(isProgram && {
      command: command.length === 0 ? undefined : command,
      env: Object.keys(env).length === 0 ? undefined : env,
    }),
    model: filled(draft.model),
    route: draft.kind === 'chat' ? filled(draft.route) : undefined,
    system: draft.kind === 'chat' ? filled(draft.system) : undefined,
    // The usual way needs no words.
    input: draft.kind === 'text' && draft.input === 'argument' ? draft.input : undefined,
  };
  return { ...(draft.rest as Setting), ...withoutUndefined(given) };
}

function kindOf(backend: string, command: unknown): AgentKind {
  if (backend === 'text' || backend === 'chat') return backend;
  if (backend === 'acp') return command === undefined ? 'other' : 'acp';
  return 'other';
}

function filled(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}

function withoutUndefined(record: Readonly<Record<string, Json | undefined>>): Setting {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
