import { buttonClasses } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { CircleAlert, Compass } from 'lucide-react';
import { appWords } from './app-words.ts';

/** A page that threw: the rest of the console is still there. */
export function Broken({ error }: { error: unknown }) {
  const words = appWords.use();
  return (
    <EmptyState
      icon={<CircleAlert size={28} aria-hidden />}
      title={words.broken}
      action={
        <a href={location.href} className={buttonClasses('primary')}>
          {words.reload}
        </a>
      }
    >
      {error instanceof Error ? error.message : String(error)}
    </EmptyState>
  );
}

/** An address that leads nowhere. */
export function NotFound() {
  const words = appWords.use();
  return (
    <EmptyState
      icon={<Compass size={28} aria-hidden />}
      title={words.notFound}
      action={
        <a href="/" className={buttonClasses('primary')}>
          {words.toHome}
        </a>
      }
    />
  );
}
