import type { Choice, SessionView } from '@dragoman/protocol';
import { Cpu, FileText, MessagesSquare, SlidersHorizontal, Slash } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { useCall } from '../api/calls.ts';
import { useSessions } from '../api/sessions.ts';
import { matching, type Trigger } from './completion.ts';
import { composerWords } from './composer-words.ts';

/** One thing that can be put where the caret is. */
export interface Completion {
  id: string;
  icon: ReactNode;
  text: string;
  about?: string | undefined;
  /** What takes the place of what was written; or else what is done. */
  insert?: string;
  run?: () => void;
}

/** The commands of the console itself. */
interface OwnCommands {
  stop?: (() => void) | undefined;
  fork?: (() => void) | undefined;
  export?: (() => void) | undefined;
  chooseModel: ((id: string) => void) | undefined;
  chooseMode: ((id: string) => void) | undefined;
}

/** What the completions are taken from. */
export interface CompletionSources extends Pick<SessionView, 'commands' | 'models' | 'modes'> {
  /** Absent before it is started. */
  sessionId?: string | undefined;
  /** Where a session that is not started yet will work: the files that can be named are there. */
  place?: { runnerId: string; folder: string } | undefined;
  own: OwnCommands;
}

const MAX_SHOWN = 12;
const MAX_SESSIONS = 4;
const ICON = 14;

/** What can be put where the caret is; `isLooking` while files are still asked for. */
export function useCompletions(
  trigger: Trigger | undefined,
  { sessionId, place, commands, models, modes, own }: CompletionSources,
): { items: readonly Completion[]; isLooking: boolean } {
  const words = composerWords.use();
  const mention = useMentions({ sessionId, place }, trigger?.kind === 'mention' ? trigger.query : undefined);
  if (trigger === undefined) return { items: [], isLooking: false };
  switch (trigger.kind) {
    case 'mention':
      return mention;
    case 'model':
      return {
        items: choices(trigger.query, models, own.chooseModel, <Cpu size={ICON} aria-hidden />),
        isLooking: false,
      };
    case 'mode':
      return {
        items: choices(trigger.query, modes, own.chooseMode, <SlidersHorizontal size={ICON} aria-hidden />),
        isLooking: false,
      };
    case 'command': {
      const agents = commands.map(({ name, description }): Completion => ({
        id: `agent-${name}`,
        icon: <Slash size={ICON} aria-hidden />,
        text: `/${name}`,
        about: description ?? words.kinds.agent,
        insert: `/${name}`,
      }));
      const known = new Set(commands.map(({ name }) => name));
      // Where the agent has a command of that name itself, it is the agent's.
      const ours = ownCommands(own, words.commands).filter(({ id }) => !known.has(id));
      const all = matching([...ours, ...agents], trigger.query, ({ text }) => text.slice(1));
      return { items: all.slice(0, MAX_SHOWN), isLooking: false };
    }
  }
}

function ownCommands(own: OwnCommands, words: Record<string, string>): Completion[] {
  const command = (id: string, what: Pick<Completion, 'insert' | 'run'>): Completion => ({
    id,
    icon: <Slash size={ICON} aria-hidden />,
    text: `/${id}`,
    about: words[id],
    ...what,
  });
  return [
    ...(own.stop === undefined ? [] : [command('stop', { run: own.stop })]),
    ...(own.fork === undefined ? [] : [command('fork', { run: own.fork })]),
    ...(own.export === undefined ? [] : [command('export', { run: own.export })]),
    ...(own.chooseModel === undefined ? [] : [command('model', { insert: '/model' })]),
    ...(own.chooseMode === undefined ? [] : [command('mode', { insert: '/mode' })]),
  ];
}

function choices(
  query: string,
  all: readonly Choice[],
  choose: ((id: string) => void) | undefined,
  icon: ReactNode,
): Completion[] {
  if (choose === undefined) return [];
  return matching(all, query, ({ id, name }) => name ?? id)
    .slice(0, MAX_SHOWN)
    .map(({ id, name, description }) => ({ id, icon, text: name ?? id, about: description, run: () => choose(id) }));
}

/** Files by a part of their path, and sessions by a part of their title. */
function useMentions(
  { sessionId, place }: Pick<CompletionSources, 'sessionId' | 'place'>,
  query: string | undefined,
): { items: Completion[]; isLooking: boolean } {
  const words = composerWords.use();
  const { sessions = [] } = useSessions();
  const asked = useDeferredValue(query);
  const wanted = { q: asked ?? '', limit: MAX_SHOWN - MAX_SESSIONS };
  const inSession = useCall(
    'findFiles',
    { sessionId: sessionId ?? '', ...wanted },
    { isEnabled: asked !== undefined && sessionId !== undefined, keepsPrevious: true },
  );
  const inPlace = useCall(
    'findFolderFiles',
    { ...(place ?? { runnerId: '', folder: '' }), ...wanted },
    { isEnabled: asked !== undefined && place !== undefined, keepsPrevious: true },
  );
  const found = sessionId === undefined ? inPlace : inSession;
  if (query === undefined) return { items: [], isLooking: false };
  const files = (found.data?.files ?? []).map(({ path }): Completion => ({
    id: `file-${path}`,
    icon: <FileText size={ICON} aria-hidden />,
    text: path,
    insert: `@${path}`,
  }));
  const others = matching(
    sessions.filter(({ id }) => id !== sessionId),
    query,
    ({ title }) => title,
  )
    .slice(0, MAX_SESSIONS)
    .map(({ id, title }): Completion => ({
      id: `session-${id}`,
      icon: <MessagesSquare size={ICON} aria-hidden />,
      text: title,
      about: words.kinds.session,
      insert: `@${title} (${location.origin}/sessions/${id})`,
    }));
  return { items: [...files, ...others], isLooking: found.isFetching && files.length === 0 };
}
