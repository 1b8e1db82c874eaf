import { Plus, Split } from 'lucide-react';
import { useState } from 'react';
import { useAction, useCall } from '../../../api/calls.ts';
import { useIsAdmin } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/confirm.tsx';
import { EmptyState } from '../../../design/empty-state.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { say } from '../../../design/toasts.tsx';
import { RouteDialog } from './route-dialog.tsx';
import { RouteRow } from './route-row.tsx';
import { routesWords } from './routes-words.ts';

/** Every route, and a way to change them. */
export function RoutesPart() {
  const words = routesWords.use();
  const isAdmin = useIsAdmin();
  const gateway = useCall('readGateway', undefined, { everyMs: 10_000 });
  const [edited, setEdited] = useState<{ name: string | undefined }>();
  const [removed, setRemoved] = useState<string>();
  const routes = gateway.data?.routes;
  const add = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setEdited({ name: undefined })}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} about={words.about} actions={isAdmin && routes?.length !== 0 && add}>
      {gateway.error !== null && gateway.data === undefined && (
        <Failure error={gateway.error} onRetry={() => void gateway.refetch()} />
      )}
      <Panel>
        {gateway.isPending && <SkeletonRows rows={3} height="h-14" />}
        {routes?.length === 0 && (
          <EmptyState
            icon={<Split size={28} aria-hidden />}
            title={words.emptyTitle}
            action={isAdmin ? add : words.noneForOthers}
          >
            {words.empty}
          </EmptyState>
        )}
        <ul className="divide-y divide-line">
          {routes?.map((route) => (
            <RouteRow
              key={route.name}
              route={route}
              providers={gateway.data!.providers.map(({ name }) => name)}
              resting={gateway.data!.resting ?? []}
              onEdit={() => setEdited({ name: route.name })}
              onRemove={() => setRemoved(route.name)}
            />
          ))}
        </ul>
      </Panel>
      {edited !== undefined && gateway.data !== undefined && (
        <RouteDialog gateway={gateway.data} editing={edited.name} onClose={() => setEdited(undefined)} />
      )}
      <RemoveRoute name={removed} onClose={() => setRemoved(undefined)} />
    </Section>
  );
}

function RemoveRoute({ name, onClose }: { name: string | undefined; onClose: () => void }) {
  const words = routesWords.use();
  const removal = useAction('changeSettings', {
    changes: ['readGateway', 'readSettings'],
    onDone: () => {
      say(words.removed(name ?? ''));
      onClose();
    },
  });
  return (
    <Confirm
      isOpen={name !== undefined}
      onClose={onClose}
      onConfirm={() => removal.mutate({ changes: [{ path: ['routes', name ?? ''] }] })}
      isBusy={removal.isPending}
      title={words.removeTitle(name ?? '')}
      confirm={words.remove}
    >
      <p>{words.removeText}</p>
      {removal.error !== null && (
        <div className="mt-3">
          <Failure error={removal.error} />
        </div>
      )}
    </Confirm>
  );
}
