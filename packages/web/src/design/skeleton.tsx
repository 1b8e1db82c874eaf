import { classNames } from './class-names.ts';

/** Where something will be, in its size, so that nothing jumps when it comes. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames('animate-breathe rounded-md bg-hover', className)} />;
}

/** Rows of a list to come. */
export function SkeletonRows({ rows = 4, height = 'h-12' }: { rows?: number; height?: string }) {
  return (
    <div aria-busy className="flex flex-col gap-2 p-3">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className={height} />
      ))}
    </div>
  );
}
