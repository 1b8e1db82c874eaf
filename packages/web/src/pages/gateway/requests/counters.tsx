import { type AnswerOf, useCall } from '../../../api/calls.ts';
import { Failure } from '../../../design/failure.tsx';
import { Panel, Section } from '../../../design/page.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import { TimeAgo } from '../../../design/time-ago.tsx';
import { useFormats } from '../../../words/formats.ts';
import { requestsWords } from './requests-words.ts';

type Counters = AnswerOf<'readGateway'>['counters'];

const SHOWN = ['calls', 'failed', 'limited', 'refused', 'blocked', 'redactions', 'repairs'] as const;
/** These say that something is not as it should be. */
const ALARMING: ReadonlySet<keyof Counters> = new Set(['failed', 'limited', 'refused']);

/** What the servers counted since they started; calls of agents are in the log alone. */
export function CountersPanel() {
  const words = requestsWords.use();
  const formats = useFormats();
  const gateway = useCall('readGateway', undefined, { everyMs: 5000 });
  const counters = gateway.data?.counters;
  const { servers = 1 } = counters ?? {};
  const say = servers > 1 ? (ago: string) => words.countersOfAll(formats.count(servers), ago) : words.countersAbout;
  return (
    <Section title={words.counters} about={counters && <TimeAgo at={counters.since} say={say} />}>
      {gateway.error !== null && counters === undefined ? (
        <Failure error={gateway.error} onRetry={() => void gateway.refetch()} />
      ) : (
        <Panel className="px-4 py-3">
          <dl
            aria-busy={counters === undefined}
            className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 lg:grid-cols-7"
          >
            {SHOWN.map((name) => (
              <div key={name} className="flex flex-col justify-between">
                <dt className="text-xs text-soft">{words.counts[name]}</dt>
                <dd className={`text-lg font-semibold tabular-nums ${toneOf(name, counters)}`}>
                  {counters === undefined ? <Skeleton className="h-6 w-10" /> : formats.count(counters[name])}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
    </Section>
  );
}

function toneOf(name: (typeof SHOWN)[number], counters: Counters | undefined): string {
  if (counters === undefined || counters[name] === 0) return 'text-faint';
  return ALARMING.has(name) ? 'text-bad' : 'text-ink';
}
