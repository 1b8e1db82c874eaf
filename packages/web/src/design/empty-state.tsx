import type { ReactNode } from 'react';

/** A place with nothing in it yet: what will be here, and how to get it here. */
export function EmptyState({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <div className="text-faint">{icon}</div>
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-sm text-soft">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
