import type { AgentOffer } from '@dragoman/protocol';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { useAgentAbout } from '../../../marks/agent-about.ts';
import { AgentMark } from '../../../marks/mark.tsx';
import { Row } from '../shared/rows.tsx';
import { AgentCheckView } from './agent-check-view.tsx';
import { agentsWords } from './agents-words.ts';
import { useAgentCheck } from './use-agent-check.ts';

interface AgentRowProps {
  agent: AgentOffer;
  /** It stands in the file. */
  isConfigured: boolean;
  /** The person may configure, and it is on the machine of the server, which the file is for. */
  mayChange: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

/** An agent of a machine: whether it can be started, what to do where it cannot, and whether it keeps the rules. */
export function AgentRow({ agent, isConfigured, mayChange, onEdit, onRemove }: AgentRowProps) {
  const words = agentsWords.use();
  const aboutOf = useAgentAbout();
  const [isRemoving, setRemoving] = useState(false);
  const check = useAgentCheck();
  const { name, title, backend, problem } = agent;
  const isIdle = check.since === undefined && check.error === null && check.result === undefined;
  return (
    <Row
      icon={<AgentMark name={name} title={title} size={20} />}
      title={title ?? name}
      marks={
        <>
          {title !== undefined && title !== name && <span className="font-mono text-xs text-faint">{name}</span>}
          {backend !== name && <Badge>{backend}</Badge>}
          {problem === undefined && <Badge tone="good">{words.ready}</Badge>}
          {isConfigured && <Badge>{words.configured}</Badge>}
        </>
      }
      about={
        problem === undefined ? (
          aboutOf(name)
        ) : (
          <>
            <span className="text-warn">{problem.message}</span>
            {problem.fix !== undefined && (
              <>
                <br />
                {words.whyNot} <code className="font-mono text-soft">{problem.fix}</code>
              </>
            )}
          </>
        )
      }
      actions={
        mayChange && (
          <>
            {problem === undefined && (
              <Button
                size="small"
                aria-label={words.checkLabel(name)}
                disabled={check.since !== undefined}
                onClick={() => check.start({ name })}
              >
                {words.check}
              </Button>
            )}
            {isConfigured && (
              <>
                <IconButton label={words.editLabel(name)} icon={<Pencil size={14} aria-hidden />} onClick={onEdit} />
                <IconButton
                  label={words.removeLabel(name)}
                  icon={<Trash2 size={14} aria-hidden />}
                  onClick={() => setRemoving(true)}
                />
              </>
            )}
          </>
        )
      }
    >
      {!isIdle && (
        <div className="mt-2">
          <AgentCheckView check={check} />
        </div>
      )}
      <Confirm
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onConfirm={() => {
          setRemoving(false);
          onRemove();
        }}
        title={words.removeTitle(name)}
        confirm={words.removeLabel(name)}
      >
        {words.removeAbout}
      </Confirm>
    </Row>
  );
}
