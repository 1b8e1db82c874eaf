import type { HubPrompt } from '@dragoman/protocol';
import { Clock3, X } from 'lucide-react';
import { IconButton } from '../../../design/icon-button.tsx';
import { post, useOutbox } from '../../../outbox/outbox.ts';
import { composerWords } from '../../../composer/composer-words.ts';

interface QueuedPromptsProps {
  sessionId: string;
  queue: readonly HubPrompt[];
  mayAct: boolean;
}

/** Prompts that wait for the agent, in their order; each can be taken back until it is taken up. */
export function QueuedPrompts({ sessionId, queue, mayAct }: QueuedPromptsProps) {
  const words = composerWords.use();
  const withdrawn = new Set(
    useOutbox(sessionId).flatMap((item) => (item.call === 'withdrawPrompt' ? [item.input.promptId] : [])),
  );
  if (queue.length === 0) return null;
  return (
    <section aria-label={words.queued(queue.length)} className="mb-1.5">
      <h2 className="mb-1 px-1 text-2xs font-medium text-faint">{words.queued(queue.length)}</h2>
      <ul className="max-h-36 space-y-1 overflow-y-auto">
        {queue.map((prompt) => (
          <li
            key={prompt.id}
            className="flex items-center gap-2 rounded-md border border-dashed border-line-strong bg-raised py-0.5 pr-0.5 pl-2.5 text-sm"
          >
            <Clock3 size={13} aria-hidden className="shrink-0 text-faint" />
            <span className="contained flex-1 truncate" title={textOf(prompt).slice(0, 1000)}>
              {textOf(prompt) === '' ? words.attachmentCount(prompt.content.length) : textOf(prompt).slice(0, 300)}
            </span>
            {prompt.delivery === 'steer' && <span className="shrink-0 text-2xs text-faint">{words.steering}</span>}
            {prompt.by.type === 'user' && (
              <span className="max-w-24 shrink-0 truncate text-2xs text-faint max-sm:hidden">{prompt.by.name}</span>
            )}
            {mayAct && (
              <IconButton
                label={words.withdraw}
                icon={<X size={14} aria-hidden />}
                isBusy={withdrawn.has(prompt.id)}
                onClick={() => post({ call: 'withdrawPrompt', input: { sessionId, promptId: prompt.id } })}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function textOf({ content }: HubPrompt): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(' ');
}
