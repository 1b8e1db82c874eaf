import type { ReactNode } from 'react';
import { DiffView } from '../diff/diff-view.tsx';
import { Attachment } from './attachment.tsx';
import { type Call, callKind, deniedApproval } from '@dragoman/protocol';
import { callTitle } from './call-title.ts';
import { CallApproval } from './call-approval.tsx';
import { conversationWords } from './conversation-words.ts';
import { ToolInput } from './tool-input.tsx';
import { ToolOutput } from './tool-output.tsx';

/** What is inside of a card: input, questions, calls of its own, output and changes. */
export function ToolBody({ call, nested }: { call: Call; nested: ReactNode }) {
  const words = conversationWords.use();
  const { use, result, tool, approvals } = call;
  const { subject } = callTitle(words, use.block);
  const diffs = result?.block.diffs ?? [];
  // A question says itself what goes in.
  const isAsked = !use.isOpen && approvals.some(({ decided }) => decided === undefined);
  // While its arguments are still to come, nobody knows what it would do.
  const told = use.isOpen ? undefined : { name: use.block.name, input: use.block.input };
  return (
    <div className="flex flex-col gap-3 p-3">
      {!isAsked && <ToolInput shown={use} hasDiffs={diffs.length > 0} said={subject} />}
      {approvals.map((approval) => (
        <CallApproval key={approval.id} approval={approval} call={told} />
      ))}
      {nested}
      {diffs.map((diff, index) => (
        <DiffView key={index} diff={diff} />
      ))}
      {result !== undefined && (
        <ToolOutput
          shown={result}
          isLive={tool?.status === 'Running' && result.isOpen}
          isQuiet={diffs.length > 0 || (result.block.attachments ?? []).length > 0}
          isDenied={deniedApproval(call) !== undefined}
          kind={callKind(use.block)}
        />
      )}
      {(result?.block.attachments ?? []).map((attachment, index) => (
        <Attachment key={index} block={attachment} />
      ))}
      {tool?.status === 'Interrupted' && <p className="text-xs text-faint">{words.interruptedHelp}</p>}
    </div>
  );
}
