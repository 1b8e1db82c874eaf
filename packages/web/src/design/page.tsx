import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { classNames } from './class-names.ts';

interface PageProps {
  title: string;
  /** On a phone a way back stands before the title; this is what it is called. */
  back?: string;
  /** Beside the title, at the end of its line. */
  actions?: ReactNode;
  /** Under the title: tabs or filters. */
  bar?: ReactNode;
  /** Beside the content where there is room, in place of the bar. */
  aside?: ReactNode;
  width?: 'reading' | 'wide';
  /** What scrolls, for lists that draw only what is in sight. */
  scrollRef?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** A page: its title stays in sight, the rest scrolls. */
export function Page({ title, back, actions, bar, aside, width = 'wide', scrollRef, children }: PageProps) {
  const inner = classNames('mx-auto w-full px-4 sm:px-6', width === 'reading' ? 'max-w-3xl' : 'max-w-6xl');
  return (
    <div className="flex h-full min-h-0 flex-col">
      {/* It leaves the same room for a scrollbar as what is below, so that the two are in one line. */}
      <header className="overflow-hidden border-b border-line bg-panel [scrollbar-gutter:stable_both-edges]">
        <div className={classNames(inner, 'flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 py-2')}>
          {back !== undefined && <BackLink label={back} />}
          <h1 className="min-w-0 flex-1 truncate text-xl font-semibold tracking-tight">{title}</h1>
          {actions}
        </div>
        {bar !== undefined && <div className={classNames(inner, aside !== undefined && 'lg:hidden')}>{bar}</div>}
      </header>
      <div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable_both-edges]">
        <div className={classNames(inner, 'py-4 sm:py-5', aside !== undefined && 'lg:flex lg:items-start lg:gap-8')}>
          {aside !== undefined && <div className="sticky top-5 w-44 shrink-0 max-lg:hidden">{aside}</div>}
          <div className="min-w-0 flex-1">{children}</div>
        </div>
      </div>
    </div>
  );
}

function BackLink({ label }: { label: string }) {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <Link
      to="/"
      aria-label={label}
      // Where somebody came from is where they want to go back to; who came by an address goes home.
      onClick={(event) => {
        if (!canGoBack || event.metaKey || event.ctrlKey) return;
        event.preventDefault();
        router.history.back();
      }}
      className="-ml-2 inline-flex size-11 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover md:hidden"
    >
      <ArrowLeft size={18} aria-hidden />
    </Link>
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
          <h2 className="text-base font-semibold">{title}</h2>
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
