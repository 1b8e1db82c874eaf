import type { ReactNode } from 'react';

/** One of the ways to begin. */
export function WelcomeCard({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section className="flex min-w-0 flex-col rounded-lg border border-line bg-panel p-4 sm:p-5">
      <div className="mb-1 flex items-center gap-2.5">
        <span className="flex size-8 items-center justify-center rounded-md bg-accent-wash text-accent-strong">
          {icon}
        </span>
        <h2 className="text-lg font-semibold">{title}</h2>
      </div>
      <p className="mb-4 text-sm text-soft">{text}</p>
      {children}
    </section>
  );
}
