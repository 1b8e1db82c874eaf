import { type Fault, REJECTED_KEY_FIX } from '@dragoman/protocol';
import type { ReactNode } from 'react';
import { CopyLine } from '../design/copy-button.tsx';
import { Notice } from '../design/notice.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useServerSentence } from '../words/server-sentences.ts';
import { conversationWords } from './conversation-words.ts';

/** As much of a fault as there is. */
type ShownFault = { [Field in keyof Fault]?: Fault[Field] | undefined };

interface FaultNoticeProps {
  title?: ReactNode;
  fault: ShownFault;
  help?: ReactNode;
  action?: ReactNode;
}

/** Something that went wrong: what, and what helps. */
export function FaultNotice({ title, fault, help, action }: FaultNoticeProps) {
  const words = conversationWords.use();
  const sentence = useServerSentence();
  const { message = '', code, fix } = fault;
  return (
    <Notice tone="bad" title={title} action={action}>
      {message !== '' && <Markdown text={sentence(message.slice(0, 8000))} keepsLines className="text-sm" />}
      {fix !== undefined && fix !== '' && !message.includes(fix) && (
        <div className="pt-1.5">
          <p className="pb-1 text-xs font-medium">{words.fix}</p>
          {isCommand(fix) ? (
            <CopyLine text={fix} />
          ) : (
            <Markdown text={sentence(fix.slice(0, 4000))} className="text-sm" />
          )}
        </div>
      )}
      {fix === REJECTED_KEY_FIX && (
        <p className="pt-1 text-sm">
          <a
            href="/gateway?tab=providers"
            className="inline-flex items-center underline underline-offset-2 pointer-coarse:min-h-11"
          >
            {words.toGateway}
          </a>
        </p>
      )}
      {help !== undefined && <p className="pt-1 text-xs">{help}</p>}
      {code !== undefined && <p className="pt-1 font-mono text-2xs text-soft">{code.slice(0, 100)}</p>}
    </Notice>
  );
}

const PROGRAMS =
  /^(?:dragoman|npm|npx|pnpm|yarn|git|docker|brew|apt|apt-get|pip|uv|curl|export|sudo|node|claude|codex|gemini|opencode|ollama) \S/;

/** Whether it is something to run, and not a sentence. */
function isCommand(text: string): boolean {
  return text.length < 200 && PROGRAMS.test(text) && !text.includes('\n') && !/[.:;]$/.test(text);
}
