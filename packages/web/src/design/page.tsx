import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';

interface PageProps {
  title: string;
  /** Beside the title, at the end of its line. */
  actions?: ReactNode;
  /** Under the title: tabs or filters. */
  bar?: ReactNode;
  width?: 'reading' | 'wide';
  /** What scrolls, for lists that draw only what is in sight. */
  scrollRef?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A page: its title stays in sight, the rest scrolls. */
export function Page({ title, actions, bar, width = 'wide', scrollRef, children }: PageProps) {
  const inner = classNames('mx-auto w-full px-4 sm:px-6', width === 'reading' ? 'max-w-3xl' : 'max-w-6xl');
  return (
    <div className="flex h-full min-h-0 flex-col">
      <header className="border-b border-line bg-panel">
        <div className={classNames(inner, 'flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 py-2')}>
          <h1 className="min-w-0 flex-1 truncate text-lg font-semibold">{title}</h1>
          {actions}
        </div>
        {bar !== undefined && <div className={inner}>{bar}</div>}
      </header>
      <div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto">
        <div className={classNames(inner, 'py-4 sm:py-5')}>{children}</div>
      </div>
    </div>
  );
}

/** A part of a page with a heading. */
export function Section({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="mb-7">
      <div className="mb-2 flex flex-wrap items-end gap-x-3 gap-y-1">
        <div className="min-w-52 flex-1">
          <h2 className="text-sm font-semibold">{title}</h2>
          {about !== undefined && <p className="text-xs text-faint">{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** A box that holds rows or a form. */
export function Panel({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('rounded-lg border border-line bg-panel', className)}>{children}</div>;
}
