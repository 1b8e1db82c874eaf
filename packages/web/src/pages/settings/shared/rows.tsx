import type { ReactNode } from 'react';
import { Panel } from '../../../design/page.tsx';

/** A list of things that are set. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Panel>
      <ul aria-label={label} className="divide-y divide-line">
        {children}
      </ul>
    </Panel>
  );
}

interface RowProps {
  icon?: ReactNode;
  title: ReactNode;
  /** Words in colour behind the title. */
  marks?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  /** What belongs to it, below. */
  children?: ReactNode;
}

/** One of them: what it is, what is to be known of it, and what can be done with it. */
export function Row({ icon, title, marks, about, actions, children }: RowProps) {
  return (
    <li className="px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {icon !== undefined && <span className="shrink-0 text-faint">{icon}</span>}
        <div className="min-w-40 flex-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="contained text-sm font-medium">{title}</span>
            {marks}
          </div>
          {about !== undefined && <div className="contained text-xs text-faint">{about}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-1.5">{actions}</div>}
      </div>
      {children !== undefined && <div className={icon === undefined ? '' : 'sm:pl-7'}>{children}</div>}
    </li>
  );
}
