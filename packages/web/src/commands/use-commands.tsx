import { useNavigate, useRouterState } from '@tanstack/react-router';
import { Check, House, Keyboard, Languages, Plus, Settings, Square, SunMoon, Waypoints, X } from 'lucide-react';
import { useContext } from 'react';
import { useAction, useCall } from '../api/calls.ts';
import { useMayAct } from '../api/me.ts';
import { useAgentTitle, useForeignRunner } from '../api/runners.ts';
import { useSessions } from '../api/sessions.ts';
import { appWords } from '../app/app-words.ts';
import { PLACES } from '../app/places.ts';
import { chooseTheme, useTheme } from '../app/theme.ts';
import { folderName } from '../arrangement/list-rows.ts';
import { useNow } from '../design/time-ago.tsx';
import { sayError } from '../design/toasts.tsx';
import { AgentMark } from '../marks/mark.tsx';
import type { Option } from '../options/option.ts';
import { gatewayWords } from '../pages/gateway/gateway-words.ts';
import { settingsWords } from '../pages/settings/settings-words.ts';
import { SessionState } from '../status/session-state.tsx';
import { useFormats } from '../words/formats.ts';
import { LanguageContext, LANGUAGES } from '../words/language.ts';
import { commandsWords } from './commands-words.ts';
import { openOverlay } from './overlay.ts';

/** Something that can be done from anywhere. */
export interface Command extends Option {
  run: () => void;
}

const ICON = { size: 16, 'aria-hidden': true } as const;

/** Everything that can be done from here: in the open session, by going elsewhere, and to how the console looks. */
export function useCommands(): Command[] {
  return [
    ...useSessionCommands(),
    ...useGoCommands(),
    ...useSwitchCommands(),
    ...usePartCommands(),
    ...useLookCommands(),
  ];
}

/** What can be done in the session that is open, where its question is in sight. */
function useSessionCommands(): Command[] {
  const words = commandsWords.use();
  const sessionId = useRouterState({ select: ({ location }) => /^\/sessions\/(ses_\w+)/.exec(location.pathname)?.[1] });
  const session = useSessions().sessions?.find(({ id }) => id === sessionId);
  const foreign = useForeignRunner(session?.runnerId);
  const mayAct = useMayAct() && foreign === undefined;
  const asked = useCall('listApprovals', undefined, { isEnabled: sessionId !== undefined }).data?.approvals;
  const stop = useAction('cancelTurn');
  const decide = useAction('decideApproval', { changes: ['listApprovals'] });
  if (sessionId === undefined || session === undefined || !mayAct) return [];
  const approval = asked?.find((one) => one.sessionId === sessionId);
  const yes = approval?.options.find(({ kind }) => kind === 'allow_once');
  const no = approval?.options.some(({ kind }) => kind.startsWith('reject')) === true;
  const answer = (decision: { optionId: string } | { reject: true }) =>
    decide.mutate({ sessionId, approvalId: approval!.id, channel: 'web', ...decision }, { onError: sayError });
  const group = words.groups.here;
  return [
    ...(approval !== undefined && yes !== undefined
      ? [
          {
            id: 'allow',
            text: words.allow,
            about: approval.title,
            group,
            icon: <Check {...ICON} />,
            also: 'approve yes',
            run: () => answer({ optionId: yes.id }),
          },
        ]
      : []),
    ...(approval !== undefined && no
      ? [
          {
            id: 'reject',
            text: words.reject,
            about: approval.title,
            group,
            icon: <X {...ICON} />,
            also: 'deny no',
            run: () => answer({ reject: true }),
          },
        ]
      : []),
    ...(session.turnId === undefined
      ? []
      : [
          {
            id: 'stop',
            text: words.stop,
            group,
            icon: <Square {...ICON} />,
            also: 'cancel',
            run: () => stop.mutate({ sessionId }, { onError: sayError }),
          },
        ]),
  ];
}

function useGoCommands(): Command[] {
  const words = commandsWords.use();
  const app = appWords.use();
  const navigate = useNavigate();
  const mayAct = useMayAct();
  const group = words.groups.go;
  return [
    ...(mayAct
      ? [
          {
            id: 'new',
            text: app.newSession,
            group,
            icon: <Plus {...ICON} />,
            also: 'new session start',
            run: () => void navigate({ to: '/new' }),
          },
        ]
      : []),
    {
      id: 'home',
      text: app.home,
      group,
      icon: <House {...ICON} />,
      also: 'home',
      run: () => void navigate({ to: '/' }),
    },
    ...PLACES.map(({ to, word, Icon }) => ({
      id: to,
      text: app[word],
      group,
      icon: <Icon {...ICON} />,
      also: word,
      run: () => void navigate({ to }),
    })),
    {
      id: 'keys',
      text: words.keysTitle,
      group,
      icon: <Keyboard {...ICON} />,
      also: 'help keys shortcuts',
      run: () => openOverlay('keys'),
    },
  ];
}

/** The sessions, the latest first. */
function useSwitchCommands(): Command[] {
  const words = commandsWords.use();
  const navigate = useNavigate();
  const agentOf = useAgentTitle();
  const formats = useFormats();
  const now = useNow();
  const { sessions = [] } = useSessions();
  return sessions.map((session) => ({
    id: session.id,
    text: session.title,
    // Titles are often the same.
    about: [agentOf(session), folderName(session.folder), formats.ago(session.updatedAt, now)].join(' · '),
    group: words.groups.sessions,
    icon: <AgentMark name={session.agent} title={agentOf(session)} size={18} />,
    end: <SessionState session={session} />,
    run: () => void navigate({ to: '/sessions/$sessionId', params: { sessionId: session.id } }),
  }));
}

/** The parts of pages that have several. */
function usePartCommands(): Command[] {
  const words = commandsWords.use();
  const navigate = useNavigate();
  const pages = [
    { to: '/gateway', Icon: Waypoints, ...gatewayWords.use() },
    { to: '/settings', Icon: Settings, ...settingsWords.use() },
  ] as const;
  return pages.flatMap(({ to, Icon, title, tabs }) =>
    Object.entries(tabs).map(([tab, name]) => ({
      id: `${to}?tab=${tab}`,
      text: words.part(title, name),
      group: words.groups.parts,
      icon: <Icon {...ICON} />,
      also: tab,
      run: () => void navigate({ to, search: { tab } }),
    })),
  );
}

function useLookCommands(): Command[] {
  const words = commandsWords.use();
  const app = appWords.use();
  const theme = useTheme();
  const { language, choose } = useContext(LanguageContext);
  const group = words.groups.look;
  return [
    ...(['system', 'light', 'dark'] as const).map((one) => ({
      id: `theme-${one}`,
      text: words.theme(app.themes[one]),
      group,
      icon: <SunMoon {...ICON} />,
      also: `theme ${one}`,
      end: theme === one && <Check {...ICON} />,
      run: () => chooseTheme(one),
    })),
    ...LANGUAGES.map(({ value, label }) => ({
      id: `language-${value}`,
      text: words.language(label),
      group,
      icon: <Languages {...ICON} />,
      also: 'language',
      end: language === value && <Check {...ICON} />,
      run: () => choose(value),
    })),
  ];
}
