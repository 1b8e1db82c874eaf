import type { ChannelSetupStep } from '@dragoman/protocol';
import { CircleAlert, CircleCheck, CircleDashed, CircleQuestionMark } from 'lucide-react';
import { Markdown } from '../../../markdown/markdown.tsx';
import { channelsWords } from './channels-words.ts';

const ICONS = {
  ok: <CircleCheck size={15} aria-hidden className="mt-0.5 shrink-0 text-good" />,
  missing: <CircleDashed size={15} aria-hidden className="mt-0.5 shrink-0 text-warn" />,
  wrong: <CircleAlert size={15} aria-hidden className="mt-0.5 shrink-0 text-bad" />,
  unknown: <CircleQuestionMark size={15} aria-hidden className="mt-0.5 shrink-0 text-faint" />,
};

/** What a platform needs, thing by thing: whether it is there, and what to do where it is not. */
export function CheckSteps({ title, steps }: { title: string; steps: readonly ChannelSetupStep[] }) {
  const words = channelsWords.use();
  const undone = steps.filter(({ state }) => state === 'missing' || state === 'wrong').length;
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex gap-2 text-sm font-medium">
        {ICONS[undone === 0 ? 'ok' : 'wrong']}
        {undone === 0 ? words.allWell : words.notWell(undone)}
      </p>
      <ol aria-label={words.checkOf(title)} className="divide-y divide-line rounded-md border border-line">
        {steps.map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
    </div>
  );
}

function Step({ step: { title, state, text, fix } }: { step: ChannelSetupStep }) {
  const words = channelsWords.use();
  return (
    <li className="flex gap-2 px-2.5 py-2 text-sm">
      {ICONS[state]}
      <div className="contained flex-1">
        <p className="font-medium">
          <span className="sr-only">{words.steps[state]}</span> {title}
        </p>
        <Markdown text={text} className="text-xs text-soft" />
        {fix !== undefined && (
          <div className={`mt-1 flex flex-wrap gap-x-1.5 text-xs ${state === 'ok' ? 'text-faint' : ''}`}>
            {state !== 'ok' && <span className="font-medium">{words.todo}</span>}
            <Markdown text={fix} className="min-w-40 flex-1" />
          </div>
        )}
      </div>
    </li>
  );
}
