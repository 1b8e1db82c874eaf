import type { SessionView } from '@dragoman/protocol';
import { ChevronDown, Circle, CircleCheck, CircleDot, CircleSlash } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { classNames } from '../../design/class-names.ts';
import { sessionWords } from './session-words.ts';

const ICONS = { pending: Circle, in_progress: CircleDot, completed: CircleCheck, cancelled: CircleSlash };
const COLOURS = { pending: 'text-faint', in_progress: 'text-busy', completed: 'text-good', cancelled: 'text-faint' };

/** The agent's plan: how far it is, and what it does now; the whole list when it is opened. */
export const PlanLine = memo(function PlanLine({ plan }: { plan: NonNullable<SessionView['plan']> }) {
  const words = sessionWords.use();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { entries } = plan;
  if (entries.length === 0) return null;
  const done = entries.filter(({ status }) => status === 'completed').length;
  const now = entries.find(({ status }) => status === 'in_progress');
  return (
    <section aria-label={words.plan} className="mb-1.5 rounded-lg border border-line bg-panel">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-lg px-2.5 py-1.5 text-left text-xs hover:bg-hover"
      >
        <span className="shrink-0 font-medium">{words.plan}</span>
        <span className="shrink-0 text-faint tabular-nums">{words.planDone(done, entries.length)}</span>
        <span className="contained min-w-0 flex-1 truncate text-soft">{isOpen ? '' : now?.content}</span>
        <ChevronDown
          size={14}
          aria-hidden
          className={classNames('shrink-0 text-faint transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <ol id={id} hidden={!isOpen} className="max-h-56 overflow-y-auto px-2.5 pb-2">
        {entries.map(({ content, status }, index) => {
          const Icon = ICONS[status];
          return (
            <li key={index} className="flex items-start gap-2 py-0.5 text-sm">
              <Icon size={14} aria-hidden className={classNames('mt-0.5 shrink-0', COLOURS[status])} />
              <span className="sr-only">{words.planStatus[status]}</span>
              <span
                className={classNames(
                  'contained',
                  status === 'completed' && 'text-faint',
                  status === 'cancelled' && 'text-faint line-through',
                  status === 'in_progress' && 'font-medium',
                )}
              >
                {content}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
});
