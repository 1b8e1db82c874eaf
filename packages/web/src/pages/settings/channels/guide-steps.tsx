import { Markdown } from '../../../markdown/markdown.tsx';

/** What to do to set a platform up, with its numbers; from a step on, or all of it. */
export function GuideSteps({ steps, from = 0 }: { steps: readonly string[]; from?: number }) {
  return (
    <ol start={from + 1} className="mt-2 flex flex-col gap-2">
      {steps.slice(from).map((step, index) => (
        <li key={step} className="flex gap-2.5 text-sm">
          <span
            aria-hidden
            className="mt-px flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-wash text-2xs font-semibold text-accent-strong"
          >
            {from + index + 1}
          </span>
          <Markdown text={step} className="min-w-0 flex-1" />
        </li>
      ))}
    </ol>
  );
}
