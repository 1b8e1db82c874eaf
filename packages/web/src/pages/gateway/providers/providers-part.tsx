import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../../../api/calls.ts';
import { useIsAdmin } from '../../../api/me.ts';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { SkeletonRows } from '../../../design/skeleton.tsx';
import { ProviderSetup } from '../../../provider-setup/provider-setup.tsx';
import { SettingsState } from '../../../settings-state/settings-state.tsx';
import { ProviderRow } from './provider-row.tsx';
import { providersWords } from './providers-words.ts';

/** Every provider, the person's own first. */
export function ProvidersPart() {
  const words = providersWords.use();
  const isAdmin = useIsAdmin();
  const gateway = useCall('readGateway', undefined, { everyMs: 10_000 });
  /** Whose setup is open: a name, or a new one. */
  const [setup, setSetup] = useState<{ name?: string }>();
  const close = () => setSetup(undefined);
  const own = gateway.data?.providers.filter(({ isBuiltIn }) => !isBuiltIn);
  return (
    <>
      <SettingsState />
      <Section
        title={words.title}
        about={words.about}
        actions={
          isAdmin && (
            <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setSetup({})}>
              {words.add}
            </Button>
          )
        }
      >
        {own?.length === 0 && (
          <div className="mb-3">
            <Notice title={words.emptyTitle}>{isAdmin ? words.empty : words.emptyForOthers}</Notice>
          </div>
        )}
        {gateway.error !== null && gateway.data === undefined && (
          <Failure error={gateway.error} onRetry={() => void gateway.refetch()} />
        )}
        {gateway.isPending && (
          <Panel>
            <SkeletonRows rows={3} height="h-20" />
          </Panel>
        )}
        {gateway.data !== undefined && (
          <Panel>
            <ul className="divide-y divide-line">
              {gateway.data.providers.map((provider) => (
                <ProviderRow
                  key={provider.name}
                  provider={provider}
                  routes={gateway.data.routes}
                  resting={gateway.data.resting ?? []}
                  usualUrl={gateway.data.kinds.find(({ type }) => type === provider.type)?.baseUrl}
                  onEdit={() => setSetup({ name: provider.name })}
                />
              ))}
            </ul>
          </Panel>
        )}
      </Section>
      {isAdmin && setup !== undefined && (
        <ProviderSetup
          isOpen
          onClose={close}
          onSaved={close}
          {...(setup.name !== undefined && { editing: setup.name })}
        />
      )}
    </>
  );
}
