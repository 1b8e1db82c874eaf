import { ShieldCheck } from 'lucide-react';
import { useAction, useCall } from '../../../api/calls.ts';
import { useMe } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { sayError } from '../../../design/toasts.tsx';
import { Row, Rows } from '../shared/rows.tsx';
import { permissionsWords } from './permissions-words.ts';

/** What people allowed for good, each for a folder. */
export function SavedRules() {
  const words = permissionsWords.use();
  const me = useMe();
  const { data, error, refetch } = useCall('listRules');
  const remove = useAction('removeRule', { changes: ['listRules'] });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <Panel>
        <SkeletonRows rows={2} />
      </Panel>
    );
  if (data.rules.length === 0) return <p className="text-sm text-soft">{words.noSaved}</p>;
  return (
    <Rows label={words.saved}>
      {data.rules.map(({ id, tool, pattern, folder, by, createdAt }) => (
        <Row
          key={id}
          icon={<ShieldCheck size={16} aria-hidden />}
          title={
            <>
              {tool} <code className="font-mono text-xs font-normal">{pattern}</code>
            </>
          }
          marks={<Badge tone="good">{words.actions.allow}</Badge>}
          about={
            <>
              {`${words.inFolder(folder)} · ${words.by(by)} · `}
              <TimeAgo at={createdAt} />
            </>
          }
          actions={
            (me?.role === 'admin' || (me?.role === 'member' && me.name === by)) && (
              <Button
                size="small"
                look="quiet"
                aria-label={words.takeBackLabel(tool, pattern)}
                isBusy={remove.isPending && remove.variables.ruleId === id}
                onClick={() => remove.mutate({ ruleId: id }, { onError: sayError })}
              >
                {words.takeBack}
              </Button>
            )
          }
        />
      ))}
    </Rows>
  );
}
