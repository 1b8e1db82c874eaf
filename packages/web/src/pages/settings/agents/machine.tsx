import type { AgentOffer, HubRunner } from '@dragoman/protocol';
import { Server } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../../api/calls.ts';
import { useMe } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { agentsWords } from './agents-words.ts';

interface MachineProps {
  runner: HubRunner;
  /** No other server shares the database, so that nobody takes its machine for another's. */
  isOnlyServer: boolean;
  /** The agents of the file, which are listed whether they are ready or not. */
  configured: readonly string[];
  agentOf: (agent: AgentOffer) => ReactNode;
}

/** A machine: how it stands, and its agents. Those that nobody installed are folded away. */
export function Machine({ runner, isOnlyServer, configured, agentOf }: MachineProps) {
  const words = agentsWords.use();
  const isListed = ({ name, problem }: AgentOffer) => problem === undefined || configured.includes(name);
  const others = runner.agents.filter((agent) => !isListed(agent));
  return (
    <section aria-label={runner.name} className="mb-5 rounded-lg border border-line bg-panel">
      <MachineHead runner={runner} isOnlyServer={isOnlyServer} />
      <ul className="divide-y divide-line">{runner.agents.filter(isListed).map(agentOf)}</ul>
      {others.length > 0 && (
        <details className="border-t border-line">
          <summary className="px-3 py-2 text-xs text-soft hover:text-ink">{words.notReady(others.length)}</summary>
          <ul className="divide-y divide-line border-t border-line">{others.map(agentOf)}</ul>
        </details>
      )}
    </section>
  );
}

function MachineHead({ runner, isOnlyServer }: Pick<MachineProps, 'runner' | 'isOnlyServer'>) {
  const words = agentsWords.use();
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-t-lg border-b border-line bg-raised px-3 py-2.5">
      <Server size={16} aria-hidden className="text-faint" />
      <div className="min-w-40 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="contained text-sm font-semibold">{runner.name}</h3>
          {runner.isServer === true && <Badge tone="accent">{isOnlyServer ? words.thisServer : words.server}</Badge>}
          <Badge tone={runner.isConnected ? 'good' : 'neutral'}>
            {runner.isConnected ? words.connected : words.away}
          </Badge>
          {runner.isShared && <Badge>{words.sharedMark}</Badge>}
        </div>
        <p className="contained text-xs text-faint">
          {[words.ownerOf(runner.owner), `${runner.host} ${runner.version}`].join(' · ')}
          {' · '}
          {runner.folders.length === 0 ? words.anywhere : words.folders(runner.folders.join(', '))}
          {!runner.isConnected && (
            <>
              {` · ${words.lastSeen} `}
              <TimeAgo at={runner.lastSeenAt} />
            </>
          )}
        </p>
      </div>
      <Forget runner={runner} />
    </header>
  );
}

function Forget({ runner }: { runner: HubRunner }) {
  const words = agentsWords.use();
  const me = useMe();
  const isTheirs = me?.role === 'admin' || (me?.role === 'member' && me.name === runner.owner);
  const [isAsking, setAsking] = useState(false);
  const remove = useAction('removeRunner', { changes: ['listRunners'], onDone: () => setAsking(false) });
  if (!isTheirs || runner.isConnected) return null;
  return (
    <>
      <Button size="small" look="quiet" aria-label={words.forgetLabel(runner.name)} onClick={() => setAsking(true)}>
        {words.forget}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate({ runnerId: runner.id }, { onError: sayError })}
        isBusy={remove.isPending}
        title={words.forgetTitle(runner.name)}
        confirm={words.forget}
      >
        {words.forgetAbout}
      </Confirm>
    </>
  );
}
