import type { Call, CallStatus } from '@dragoman/protocol';
import { Ban, Check, CircleAlert, CirclePause, CircleX } from 'lucide-react';
import { classNames } from '../design/class-names.ts';
import { Spinner } from '../design/spinner.tsx';
import { useCommonWords } from '../words/common-words.ts';
import { useFormats } from '../words/formats.ts';
import { Elapsed } from './elapsed.tsx';

const LOOKS: Record<CallStatus | 'Denied', { ink: string; icon: typeof Check | undefined }> = {
  Running: { ink: 'text-busy', icon: undefined },
  Waiting: { ink: 'text-warn', icon: CircleAlert },
  Success: { ink: 'text-good', icon: Check },
  Error: { ink: 'text-bad', icon: CircleX },
  Interrupted: { ink: 'text-faint', icon: CirclePause },
  Denied: { ink: 'text-soft', icon: Ban },
};

interface CallStatusProps extends Pick<Call, 'tool'> {
  isDenied?: boolean;
  /** Instead of the word for its status. */
  label?: string | undefined;
}

/** How a call stands: an icon, a word, and how long it ran. Waiting for a person is no running. */
export function CallStatusMark({ tool, isDenied = false, label }: CallStatusProps) {
  const words = useCommonWords();
  const formats = useFormats();
  const status = isDenied ? 'Denied' : (tool?.status ?? 'Running');
  const { ink, icon: Icon } = LOOKS[status];
  const since = tool === undefined ? 0 : tool.startedAt + (tool.waitedMs ?? 0);
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5 pl-1 text-2xs text-faint">
      {!isDenied && tool?.endedAt !== undefined && tool.endedAt - since >= 100 && (
        <span className="tabular-nums">{formats.duration(tool.endedAt - since)}</span>
      )}
      {tool !== undefined && status === 'Running' && (
        <span className="tabular-nums">
          <Elapsed since={since} />
        </span>
      )}
      {Icon === undefined ? <Spinner size={13} className={ink} /> : <Icon size={13} aria-hidden className={ink} />}
      <span className={classNames(ink, status === 'Success' && 'max-sm:sr-only')}>
        {label ?? words.callStatus[status]}
      </span>
    </span>
  );
}
