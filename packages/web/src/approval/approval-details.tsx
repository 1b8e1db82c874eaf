import { type AskedPart, ASKED_FILE } from '@dragoman/protocol';
import { classNames } from '../design/class-names.ts';
import { approvalWords } from './approval-words.ts';
import { useServerSentence } from '../words/server-sentences.ts';

/**
 * What an agent asks: whole. Nothing here is folded, scrolls or ends in dots, since a yes is meant for all of it. Words of the
 * agent stand there as they are: Markdown would hide some.
 */
export function ApprovalDetails({ parts }: { parts: readonly AskedPart[] }) {
  return (
    <div className="flex flex-col gap-2">
      {parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

const CODE = 'contained in-written-order rounded-md bg-raised px-2 py-1 font-mono text-xs whitespace-pre-wrap';

function Part({ part: { type, text, label, why } }: { part: AskedPart }) {
  const sentence = useServerSentence();
  const words = approvalWords.use();
  switch (type) {
    case 'title':
      return <p className="contained text-sm font-medium whitespace-pre-wrap">{text}</p>;
    case 'reason':
      return <p className="contained text-sm whitespace-pre-wrap text-soft">{sentence(text)}</p>;
    case 'command':
      return <pre className={CODE}>{text}</pre>;
    case 'field':
      return (
        <div className="text-xs">
          <p className="contained in-written-order text-faint">{label}</p>
          <pre className={CODE}>{text}</pre>
        </div>
      );
    case 'subject':
      return (
        <div className="text-xs">
          {label === ASKED_FILE && <p className="text-faint">{words.file}</p>}
          <pre className={CODE}>{text}</pre>
          {why !== undefined && <p className="contained whitespace-pre-wrap text-soft">{sentence(why)}</p>}
        </div>
      );
    case 'change':
      return (
        <section aria-label={label} className="text-xs">
          <p className="contained in-written-order font-mono">{label}</p>
          <pre className={CODE}>
            {text.split('\n').map((line, index) => (
              <span key={index} className={classNames('in-written-order block min-h-[1.125rem]', lookOf(line))}>
                {`${line}\n`}
              </span>
            ))}
          </pre>
        </section>
      );
  }
}

function lookOf(line: string): string | undefined {
  if (line.startsWith('+')) return 'text-good';
  return line.startsWith('-') ? 'text-bad' : undefined;
}
