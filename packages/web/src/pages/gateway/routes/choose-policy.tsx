import { TextField } from '../../../design/field.tsx';
import { Segmented } from '../../../design/segmented.tsx';
import { POLICIES, type RouteDraft } from './route-draft.ts';
import { routesWords } from './routes-words.ts';

interface ChoosePolicyProps {
  draft: RouteDraft;
  weightsError: string | undefined;
  put: (change: Partial<RouteDraft>) => void;
}

/** How a route chooses among its targets; there is nothing to choose where it has one. */
export function ChoosePolicy({ draft: { targets, policy, weights, isSticky }, weightsError, put }: ChoosePolicyProps) {
  const words = routesWords.use();
  if (targets.length < 2) return null;
  const answers = [
    { value: 'yes', label: words.yes },
    { value: 'no', label: words.no },
  ] as const;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-xs font-medium text-soft">{words.policy}</h3>
        <Segmented
          label={words.policy}
          value={policy}
          options={POLICIES.map((value) => ({ value, label: words.policies[value] }))}
          onChange={(chosen) => put({ policy: chosen })}
        />
      </div>
      <p className="text-xs text-faint">{words.policyHints[policy]}</p>
      {policy === 'weight' && (
        <div className="grid gap-3 sm:grid-cols-2">
          {targets.map((target, index) => (
            <TextField
              key={target}
              label={words.weightOf(target)}
              inputMode="decimal"
              placeholder="1"
              error={index === 0 ? weightsError : undefined}
              value={weights[target] ?? ''}
              onChange={(event) => put({ weights: { ...weights, [target]: event.target.value } })}
            />
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-sm">{words.sticky}</span>
        <Segmented
          label={words.sticky}
          value={isSticky ? 'yes' : 'no'}
          options={answers}
          onChange={(chosen) => put({ isSticky: chosen === 'yes' })}
        />
      </div>
    </div>
  );
}
