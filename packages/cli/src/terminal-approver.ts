import { once } from 'node:events';
import type { ApprovalRequest, Approver } from '@dragoman/agent';
import { askedAbout, type AskedPart } from '@dragoman/protocol';
import { rawOutput } from './terminal/print.ts';
import type { TerminalView } from './terminal/terminal-view.ts';

/** Asks the person at the terminal, below what the view shows. One question at a time, however many calls wait. */
export function terminalApprover(view: TerminalView, isColored: boolean): Approver {
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const asked = last.then(async () => {
      const { askApproval } = await import('./terminal/ask-approval.ts');
      const release = view.hold();
      let isInterrupted = false;
      try {
        const reply = await askApproval(
          {
            input: process.stdin,
            output: rawOutput,
            isColored,
            signal,
            now: () => performance.now(),
            onInterrupt: () => {
              isInterrupted = true;
              process.kill(process.pid, 'SIGINT');
            },
          },
          {
            title: request.title,
            reason: request.reason,
            subjects: request.asked ?? request.subjects,
            ...commandOf(request),
            fields: fieldsOf(request),
            ...(request.diff === undefined ? {} : { diff: request.diff }),
            always: request.always.map(({ tool, pattern }) => `${tool} ${pattern}`),
          },
        );
        // The signal is on its way; with a mere no, the turn would go on until it arrives.
        if (isInterrupted && !signal.aborted) await once(signal, 'abort');
        if (typeof reply === 'object') return { decision: 'reject' as const, feedback: reply.reject };
        return { decision: reply };
      } finally {
        release();
      }
    });
    last = asked.catch(() => {});
    return asked;
  };
}

/** What the title, the command and the change do not say. */
function fieldsOf({ title, tool, input, diff }: ApprovalRequest): AskedPart[] {
  const diffs = diff === undefined ? [] : [{ path: '', unified: diff }];
  const { parts } = askedAbout({ title, call: { name: tool, input }, diffs });
  return parts.filter(({ type }) => type === 'field' || (type === 'command' && tool !== 'bash'));
}

function commandOf({ tool, input: { command } }: ApprovalRequest): { command?: string } {
  return tool === 'bash' && typeof command === 'string' ? { command } : {};
}
