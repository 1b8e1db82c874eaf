import { once } from 'node:events';
import type { ApprovalRequest, Approver, Asker } from '@dragoman/agent';
import { askedAbout, type AskedPart } from '@dragoman/protocol';
import type { ApprovalTerminal } from './terminal/ask-approval.ts';
import { rawOutput } from './terminal/print.ts';
import type { TerminalView } from './terminal/terminal-view.ts';

/** The person at the terminal: may a call run, and what does one want to know? */
export interface TerminalPerson {
  approver: Approver;
  asker: Asker;
}

/** Asks below what the view shows. One question at a time, however many calls wait. */
export function terminalPerson(view: TerminalView, isColored: boolean): TerminalPerson {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(signal: AbortSignal, ask: (terminal: ApprovalTerminal) => Promise<Answer>) => {
    const asked = last.then(async () => {
      const release = view.hold();
      let isInterrupted = false;
      const onInterrupt = () => {
        isInterrupted = true;
        process.kill(process.pid, 'SIGINT');
      };
      try {
        const answer = await ask({
          input: process.stdin,
          output: rawOutput,
          isColored,
          signal,
          now: () => performance.now(),
          onInterrupt,
        });
        // The signal is on its way; with a mere no, the turn would go on until it arrives.
        if (isInterrupted && !signal.aborted) await once(signal, 'abort');
        return answer;
      } finally {
        release();
      }
    });
    last = asked.catch(() => {});
    return asked;
  };
  return {
    approver: (request, signal) =>
      inTurn(signal, async (terminal) => {
        const { askApproval } = await import('./terminal/ask-approval.ts');
        if (request.diff !== undefined) view.noteShownChange(request.callID);
        const reply = await askApproval(terminal, {
          title: request.title,
          reason: request.reason,
          subjects: request.asked ?? request.subjects,
          ...commandOf(request),
          fields: fieldsOf(request),
          ...(request.diff === undefined ? {} : { diff: request.diff }),
          always: request.always.map(({ tool, pattern }) => `${tool} ${pattern}`),
        });
        if (typeof reply === 'object') return { decision: 'reject' as const, feedback: reply.reject };
        return { decision: reply };
      }),
    asker: (request, signal) =>
      inTurn(signal, async (terminal) => {
        const { askQuestion } = await import('./terminal/ask-question.ts');
        return askQuestion(terminal, request);
      }),
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
