import type { RestInfo, RouteInfo } from '@dragoman/protocol/console';
import { ChevronRight, EllipsisVertical, Trash2 } from 'lucide-react';
import { useAction } from '../../../api/calls.ts';
import { useIsAdmin } from '../../../api/me.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { Menu, MenuItem } from '../../../design/menu.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { useFormats } from '../../../words/formats.ts';
import { Resting } from '../problem/resting.tsx';
import { TestOutcome } from '../problem/test-outcome.tsx';
import { routesWords } from './routes-words.ts';

interface RouteRowProps {
  route: RouteInfo;
  providers: readonly string[];
  resting: readonly RestInfo[];
  onEdit: () => void;
  onRemove: () => void;
}

/** A route: its name, who is asked in which order, and what it adds. */
export function RouteRow({ route, providers, resting, onEdit, onRemove }: RouteRowProps) {
  const words = routesWords.use();
  const common = useCommonWords();
  const isAdmin = useIsAdmin();
  const test = useAction('testModel', { changes: ['readGateway'] });
  const { name } = route;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="flex flex-wrap items-baseline gap-x-2">
            <span className="contained font-mono text-sm font-medium">{name}</span>
            <span className="text-xs text-faint">
              {name === 'default' ? words.isDefault : name === '*' ? words.isAny : ''}
            </span>
          </h3>
          <Targets route={route} providers={providers} resting={resting} />
          <Options route={route} />
        </div>
        {isAdmin && (
          <div className="flex items-center gap-1.5">
            {/* Any name at all is served by "*", so there is no one name to test it with. */}
            {name !== '*' && (
              <Button
                size="small"
                isBusy={test.isPending}
                aria-label={words.testOf(name)}
                onClick={() => test.mutate({ model: name })}
              >
                {common.test}
              </Button>
            )}
            <Button size="small" aria-label={words.editOf(name)} onClick={onEdit}>
              {common.edit}
            </Button>
            <Menu trigger={<IconButton label={words.more(name)} icon={<EllipsisVertical size={16} aria-hidden />} />}>
              <MenuItem icon={<Trash2 size={14} aria-hidden />} isDanger onChoose={onRemove}>
                {common.remove}
              </MenuItem>
            </Menu>
          </div>
        )}
      </div>
      <TestOutcome test={test} />
    </li>
  );
}

function Targets({
  route: { name, targets },
  providers,
  resting,
}: Pick<RouteRowProps, 'route' | 'providers' | 'resting'>) {
  const words = routesWords.use();
  return (
    <ol aria-label={words.targetsOf(name)} className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-1">
      {targets.map((target, index) => (
        <li key={target} className="flex min-w-0 items-center gap-1.5">
          {index > 0 && <ChevronRight size={13} aria-hidden className="shrink-0 text-faint" />}
          <span className="contained rounded-sm bg-raised px-1.5 py-0.5 font-mono text-xs text-soft">{target}</span>
          {!providers.includes(target.slice(0, target.indexOf('/'))) && <Badge tone="bad">{words.noProvider}</Badge>}
          <Resting rest={resting.find(({ name: rested }) => rested === target || target.startsWith(`${rested}/`))} />
        </li>
      ))}
    </ol>
  );
}

function Options({
  route: { policy, weights, sticky, temperature, maxTokens, redaction },
}: Pick<RouteRowProps, 'route'>) {
  const words = routesWords.use();
  const formats = useFormats();
  const weighed = Object.entries(weights ?? {}).map(([target, weight]) => `${target} ${formats.count(weight)}`);
  const told = [
    ...(policy === undefined ? [] : [[words.policies[policy], ...weighed].join(' ')]),
    ...(sticky === false ? [words.notSticky] : []),
    ...(temperature === undefined ? [] : [words.temperature(String(temperature))]),
    ...(maxTokens === undefined ? [] : [words.maxTokens(formats.count(maxTokens))]),
    ...(redaction === undefined ? [] : [redaction ? words.redactionOn : words.redactionOff]),
  ];
  return told.length === 0 ? null : <p className="mt-1 text-xs text-faint">{told.join(' · ')}</p>;
}
