import { Circle, CircleCheck, CircleDot, CircleSlash } from 'lucide-react';
import { memo } from 'react';
import type { ContentBlockOf } from '@dragoman/protocol';
import { classNames } from '../design/class-names.ts';
import { conversationWords } from './conversation-words.ts';

type Plan = ContentBlockOf<'plan'>;

const STATES: Record<Plan['entries'][number]['status'], { icon: typeof Circle; ink: string; text: string }> = {
  pending: { icon: Circle, ink: 'text-faint', text: 'text-soft' },
  in_progress: { icon: CircleDot, ink: 'text-busy', text: 'font-medium' },
  completed: { icon: CircleCheck, ink: 'text-good', text: 'text-faint' },
  cancelled: { icon: CircleSlash, ink: 'text-faint', text: 'text-faint line-through' },
};

/** A plan in the conversation, where it was made. */
export const PlanRow = memo(function PlanRow({ plan }: { plan: Plan }) {
  const words = conversationWords.use();
  const done = plan.entries.filter(({ status }) => status === 'completed').length;
  return (
    <section aria-label={words.plan} className="rounded-md border border-line bg-panel px-3 py-2">
      <p className="flex items-baseline gap-2 pb-1 text-xs">
        <span className="font-medium">{words.plan}</span>
        <span className="text-faint">{words.planDone(done, plan.entries.length)}</span>
      </p>
      <PlanList plan={plan} />
    </section>
  );
});

/** The entries of a plan as a checklist. */
function PlanList({ plan }: { plan: Plan }) {
  const words = conversationWords.use();
  return (
    <ul className="flex flex-col gap-1">
      {plan.entries.map(({ content, status }, index) => {
        const { icon: Icon, ink, text } = STATES[status] ?? STATES.pending;
        return (
          <li key={index} className="flex items-start gap-2 text-sm">
            <Icon size={14} aria-hidden className={classNames('mt-[3px] shrink-0', ink)} />
            <span className="sr-only">{`${words.planStatus[status] ?? ''}: `}</span>
            <span className={classNames('contained', text)}>{content.slice(0, 4000)}</span>
          </li>
        );
      })}
    </ul>
  );
}
