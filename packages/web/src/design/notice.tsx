import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

const TONES = {
  info: { box: 'border-line bg-raised text-soft', icon: Info },
  warn: { box: 'border-warn/40 bg-warn-wash text-warn', icon: TriangleAlert },
  bad: { box: 'border-bad/40 bg-bad-wash text-bad', icon: CircleAlert },
};

interface NoticeProps {
  tone?: keyof typeof TONES;
  /** What is the case. */
  title?: ReactNode;
  /** What to do about it. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Something people should know, where it matters, with what to do about it. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const { box, icon: Icon } = TONES[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={classNames('flex gap-2.5 rounded-lg border px-3 py-2.5', box)}
    >
      <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="contained flex-1 text-sm">
        {title !== undefined && <p className="font-medium">{title}</p>}
        {children !== undefined && <div className={title === undefined ? '' : 'text-soft'}>{children}</div>}
      </div>
      {action}
    </div>
  );
}
