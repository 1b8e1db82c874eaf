import type { AgentOffer } from '@dragoman/protocol';
import { useId } from 'react';
import { Badge } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import { newSessionWords } from './new-session-words.ts';

interface AgentChoiceProps {
  agents: readonly AgentOffer[];
  chosen: string | undefined;
  onChange: (name: string) => void;
}

/** The agents of a machine. Those that cannot start there say why, and what to do. */
export function AgentChoice({ agents, chosen, onChange }: AgentChoiceProps) {
  const words = newSessionWords.use();
  const name = useId();
  // Our own comes first; the others keep the order of the machine.
  const ready = agents
    .filter(({ problem }) => problem === undefined)
    .toSorted((one, other) => Number(other.backend === 'native') - Number(one.backend === 'native'));
  const others = agents.filter(({ problem }) => problem !== undefined);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-xs font-medium text-soft">{words.agent}</legend>
      {ready.length > 0 && (
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
          {ready.map((agent) => (
            <label
              key={agent.name}
              className={classNames(
                'flex min-w-0 cursor-pointer flex-col rounded-md border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
                agent.name === chosen ? 'border-accent bg-accent-wash' : 'border-line bg-raised hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name={name}
                className="sr-only"
                checked={agent.name === chosen}
                onChange={() => onChange(agent.name)}
              />
              <span className="contained truncate text-sm font-medium">{agent.title ?? agent.name}</span>
              <span className="contained truncate text-xs text-faint">
                {agent.name === agent.backend ? agent.name : `${agent.name} · ${agent.backend}`}
              </span>
            </label>
          ))}
        </div>
      )}
      {others.length > 0 && (
        <details open={ready.length === 0 || undefined}>
          <summary className="w-fit rounded-sm text-xs text-soft hover:text-ink">
            {words.notReady(others.length)}
          </summary>
          <ul className="mt-2 divide-y divide-line rounded-md border border-line">
            {others.map((agent) => (
              <li key={agent.name} className="contained px-3 py-2 text-sm">
                <div className="flex flex-wrap items-center gap-2">
                  <span className="font-medium">{agent.title ?? agent.name}</span>
                  <Badge tone="warn">{agent.name}</Badge>
                </div>
                <p className="text-soft">{agent.problem?.message}</p>
                {agent.problem?.fix !== undefined && (
                  <p className="text-soft">
                    {words.whatHelps} <span className="text-ink">{agent.problem.fix}</span>
                  </p>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </fieldset>
  );
}
