import { LoaderCircle } from 'lucide-react';
import { classNames } from './class-names.ts';

/** Something is going on. What it is, is said beside it. */
export function Spinner({ size = 14, className }: { size?: number; className?: string }) {
  return <LoaderCircle aria-hidden size={size} className={classNames('shrink-0 animate-spin', className)} />;
}
