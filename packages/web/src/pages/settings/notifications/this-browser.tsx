import type { PushSubscriptionInfo } from '@dragoman/protocol';
import { DragomanError } from '@dragoman/protocol/error';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../design/button.tsx';
import { Failure } from '../../../design/failure.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Panel } from '../../../design/page.tsx';
import { Switch } from '../../../design/switch.tsx';
import { NotAllowed, pushSupport } from './browser-push.ts';
import { notificationsWords } from './notifications-words.ts';
import type { About } from './use-this-browser.ts';

const KINDS = ['approvals', 'failures', 'finished'] as const;

interface ThisBrowserProps {
  /** The subscription of this browser, if it has one. */
  own: PushSubscriptionInfo | undefined;
  isBusy: boolean;
  error: Error | null;
  onSubscribe: (about: About) => void;
  onUnsubscribe: (id: string) => void;
}

/** Turns notifications on and off in this browser, and chooses what about. */
export function ThisBrowser({ own, isBusy, error, onSubscribe, onUnsubscribe }: ThisBrowserProps) {
  const words = notificationsWords.use();
  const [about, setAbout] = useState<About>(own?.about ?? { approvals: true, failures: true, finished: true });
  const support = pushSupport();
  if (support !== 'possible')
    return (
      <Notice tone={support === 'denied' ? 'warn' : 'info'} title={words[support]}>
        {words[`${support}About`]}
      </Notice>
    );
  const choose = (kind: keyof About, isOn: boolean) => {
    const next = { ...about, [kind]: isOn };
    setAbout(next);
    if (own !== undefined) onSubscribe(next);
  };
  return (
    <Panel className="p-3">
      {own !== undefined && <p className="mb-2 text-sm font-medium text-good">{words.isOn}</p>}
      {own !== undefined &&
        KINDS.map((kind) => (
          <Switch
            key={kind}
            label={words.about[kind]}
            about={words.aboutMore[kind]}
            isOn={about[kind]}
            isDisabled={isBusy}
            onChange={(isOn) => choose(kind, isOn)}
          />
        ))}
      <div className="mt-3 flex flex-wrap gap-2">
        {own === undefined ? (
          <Button
            look="primary"
            icon={<Bell size={14} aria-hidden />}
            isBusy={isBusy}
            onClick={() => onSubscribe(about)}
          >
            {words.turnOn}
          </Button>
        ) : (
          <Button isBusy={isBusy} onClick={() => onUnsubscribe(own.id)}>
            {words.turnOff}
          </Button>
        )}
      </div>
      {error !== null && (
        <div className="mt-3">
          <Problem error={error} />
        </div>
      )}
    </Panel>
  );
}

function Problem({ error }: { error: Error }) {
  const words = notificationsWords.use();
  if (error instanceof NotAllowed) return <Notice tone="warn">{words.dismissed}</Notice>;
  if (error instanceof DragomanError) return <Failure error={error} />;
  return (
    <Notice tone="bad" title={words.failed}>
      {error.message}
    </Notice>
  );
}
