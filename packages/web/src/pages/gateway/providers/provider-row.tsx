import type { ProviderInfo, RestInfo, RouteInfo } from '@dragoman/protocol/console';
import { CircleCheck, CircleX, EllipsisVertical, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useIsAdmin } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Menu, MenuItem } from '../../../design/menu.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { ModelMark } from '../../../marks/mark.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { gatewayWords, typeTitle } from '../gateway-words.ts';
import { callErrorTitle, problemWords } from '../problem/problem-words.ts';
import { Resting } from '../problem/resting.tsx';
import { TestOutcome } from '../problem/test-outcome.tsx';
import { providersWords } from './providers-words.ts';
import { RemoveProvider } from './remove-provider.tsx';
import { useTestProvider } from './use-test-provider.ts';

interface ProviderRowProps {
  provider: ProviderInfo;
  routes: readonly RouteInfo[];
  resting: readonly RestInfo[];
  /** Where providers of its type are, unless it says otherwise. */
  usualUrl: string | undefined;
  onEdit: () => void;
}

/** A provider: what it is, how it does, and a way to try it. */
export function ProviderRow({ provider, routes, resting, usualUrl, onEdit }: ProviderRowProps) {
  const words = providersWords.use();
  const common = useCommonWords();
  const gateway = gatewayWords.use();
  const isAdmin = useIsAdmin();
  const [isRemoving, setRemoving] = useState(false);
  const test = useTestProvider(provider, routes);
  const { name, type, baseUrl = usualUrl, keys, isBuiltIn } = provider;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <ModelMark name={isBuiltIn ? 'offline' : name} size={18} />
            <span className="contained font-medium">{name}</span>
            <Badge>{isBuiltIn ? words.builtIn : typeTitle(gateway, type)}</Badge>
          </h3>
          {isBuiltIn ? (
            <p className="text-xs text-soft">{words.builtInAbout}</p>
          ) : (
            <p className="flex flex-wrap gap-x-3 text-xs text-soft">
              {baseUrl !== undefined && <span className="contained font-mono">{baseUrl}</span>}
              <span>{words.keys(keys)}</span>
            </p>
          )}
          <Models models={provider.models} />
        </div>
        {isAdmin && (
          <div className="flex items-center gap-1.5">
            <Button size="small" isBusy={test.isPending} aria-label={words.testOf(name)} onClick={() => test.mutate()}>
              {common.test}
            </Button>
            {!isBuiltIn && (
              <>
                <Button size="small" aria-label={words.editOf(name)} onClick={onEdit}>
                  {common.edit}
                </Button>
                <Menu
                  trigger={<IconButton label={words.more(name)} icon={<EllipsisVertical size={16} aria-hidden />} />}
                >
                  <MenuItem icon={<Trash2 size={14} aria-hidden />} isDanger onChoose={() => setRemoving(true)}>
                    {common.remove}
                  </MenuItem>
                </Menu>
              </>
            )}
          </div>
        )}
      </div>
      <Health provider={provider} />
      {resting
        .filter((rest) => rest.name === name || rest.name.startsWith(`${name}/`))
        .slice(0, MOST_SHOWN)
        .map((rest) => (
          <div key={rest.name} className="flex flex-wrap items-center gap-1.5 text-xs">
            {rest.name !== name && <span className="contained font-mono text-faint">{rest.name}</span>}
            <Resting rest={rest} />
          </div>
        ))}
      <TestOutcome test={test} />
      <RemoveProvider name={name} routes={routes} isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </li>
  );
}

const MOST_SHOWN = 4;

function Models({ models }: { models: readonly string[] }) {
  const words = providersWords.use();
  const named = models.filter((model) => model !== '*');
  return (
    <ul className="mt-1 flex flex-wrap gap-x-3 text-xs text-faint">
      {named.slice(0, MOST_SHOWN).map((model) => (
        <li key={model} className="contained font-mono">
          {model}
        </li>
      ))}
      {named.length > MOST_SHOWN && (
        <li title={named.slice(MOST_SHOWN).join('\n')}>{words.moreModels(named.length - MOST_SHOWN)}</li>
      )}
      {named.length < models.length && <li>{words.anyModel}</li>}
    </ul>
  );
}

function Health({ provider: { lastError, lastSuccessAt } }: { provider: ProviderInfo }) {
  const words = providersWords.use();
  const problems = problemWords.use();
  const common = useCommonWords();
  if (lastError === undefined && lastSuccessAt === undefined)
    return <p className="text-xs text-faint">{words.neverAsked}</p>;
  const isFailing = lastError !== undefined && lastError.at > (lastSuccessAt ?? 0);
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {lastSuccessAt !== undefined && (
        <span className="flex items-center gap-1.5 text-soft">
          <CircleCheck size={13} aria-hidden className={isFailing ? 'text-faint' : 'text-good'} />
          {words.lastAnswered} <TimeAgo at={lastSuccessAt} />
        </span>
      )}
      {lastError !== undefined && (
        <span className={isFailing ? 'flex items-center gap-1.5 text-bad' : 'flex items-center gap-1.5 text-faint'}>
          <CircleX size={13} aria-hidden className="shrink-0" />
          <span>
            {words.lastFailed}{' '}
            <TimeAgo at={lastError.at} say={(ago) => common.named(ago, callErrorTitle(problems, lastError.code))} />
          </span>
        </span>
      )}
    </p>
  );
}
