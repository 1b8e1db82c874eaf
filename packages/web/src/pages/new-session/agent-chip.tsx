import type { AgentOffer } from '@dragoman/protocol';
import { Link } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import { Chip } from '../../design/chip.tsx';
import { Popover } from '../../design/popover.tsx';
import { useAgentAbout } from '../../marks/agent-about.ts';
import { AgentMark } from '../../marks/mark.tsx';
import { OptionList } from '../../options/option-list.tsx';
import { newSessionWords } from './new-session-words.ts';

interface AgentChipProps {
  agents: readonly AgentOffer[];
  chosen: AgentOffer | undefined;
  isWrong: boolean;
  onChoose: (name: string) => void;
}

/** Which agent does it. Those that cannot start on the machine are behind one line, each with what helps. */
export function AgentChip({ agents, chosen, isWrong, onChoose }: AgentChipProps) {
  const words = newSessionWords.use();
  const aboutOf = useAgentAbout();
  const ready = agents.filter(({ problem }) => problem === undefined);
  const others = agents.filter(({ problem }) => problem !== undefined);
  return (
    <Popover
      label={words.agent}
      align="start"
      size="wide"
      trigger={
        <Chip
          label={words.agent}
          text={chosen?.title ?? chosen?.name ?? words.noAgent}
          icon={chosen === undefined ? <Bot size={15} aria-hidden /> : <AgentMark {...chosen} />}
          isWrong={isWrong}
        />
      }
    >
      {(close) => (
        <>
          {ready.length > 0 && (
            <OptionList
              label={words.agent}
              options={ready.map(({ name, title }) => ({
                id: name,
                text: title ?? name,
                about: aboutOf(name),
                icon: <AgentMark name={name} title={title} size={22} />,
                isChosen: name === chosen?.name,
              }))}
              onChoose={(name) => {
                onChoose(name);
                close();
              }}
            />
          )}
          {others.length > 0 && <NotReady agents={others} isOpen={ready.length === 0} />}
        </>
      )}
    </Popover>
  );
}

function NotReady({ agents, isOpen }: { agents: readonly AgentOffer[]; isOpen: boolean }) {
  const words = newSessionWords.use();
  return (
    <details open={isOpen || undefined} className="mt-2 border-t border-line pt-2">
      <summary className="rounded-sm text-xs text-soft hover:text-ink">{words.notReady(agents.length)}</summary>
      <ul className="mt-1.5 divide-y divide-line text-xs">
        {agents.map(({ name, title, problem }) => (
          <li key={name} className="contained py-1.5">
            <span className="flex items-center gap-1.5 font-medium">
              <AgentMark name={name} title={title} />
              {title ?? name}
            </span>
            <p className="text-soft">{problem?.fix ?? problem?.message}</p>
          </li>
        ))}
      </ul>
      <Link
        to="/settings"
        search={{ tab: 'agents' }}
        className="mt-1 inline-block py-1 text-xs text-accent hover:underline"
      >
        {words.agentSettings}
      </Link>
    </details>
  );
}
