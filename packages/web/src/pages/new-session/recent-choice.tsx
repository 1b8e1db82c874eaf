import type { HubRunner } from '@dragoman/protocol';
import { History } from 'lucide-react';
import { nameOf } from '../../folder-picker/path-parts.ts';
import { newSessionWords } from './new-session-words.ts';
import type { Combination } from './recent-combinations.ts';

interface RecentChoiceProps {
  combinations: readonly Combination[];
  runners: readonly HubRunner[];
  /** What the form says now. */
  current: Combination | undefined;
  onChoose: (combination: Combination) => void;
}

/** What was used lately, to be used again. */
export function RecentChoice({ combinations, runners, current, onChoose }: RecentChoiceProps) {
  const words = newSessionWords.use();
  if (combinations.length === 0) return null;
  return (
    <section aria-labelledby="recent-combinations" className="mb-5">
      <h2 id="recent-combinations" className="text-sm font-semibold">
        {words.recent}
      </h2>
      <p className="mb-2 text-xs text-faint">{words.recentAbout}</p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {combinations.map((one) => {
          const machine = runners.find(({ id }) => id === one.runnerId);
          const offer = machine?.agents.find(({ name }) => name === one.agent);
          return (
            <li key={`${one.agent} ${one.runnerId} ${one.folder}`} className="min-w-0">
              <button
                type="button"
                onClick={() => onChoose(one)}
                title={one.folder}
                aria-pressed={isSame(one, current)}
                className="flex w-full min-w-0 items-center gap-2.5 rounded-md border border-line bg-panel px-3 py-2 text-left hover:border-accent hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-wash"
              >
                <History size={15} aria-hidden className="shrink-0 text-faint" />
                <span className="min-w-0 flex-1">
                  <span className="contained block truncate text-sm font-medium">{nameOf(one.folder)}</span>
                  <span className="contained block truncate text-xs text-faint">
                    {[offer?.title ?? one.agent, ...(runners.length > 1 ? [words.on(machine?.name ?? '')] : [])].join(
                      ' · ',
                    )}
                  </span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function isSame(one: Combination, other: Combination | undefined): boolean {
  return one.agent === other?.agent && one.runnerId === other.runnerId && one.folder === other.folder;
}
