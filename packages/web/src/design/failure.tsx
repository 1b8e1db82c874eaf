import { DragomanError } from '@dragoman/protocol/error';
import { useCommonWords } from '../words/common-words.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** What went wrong with a call, in words, with what the server said and a way to try again. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const words = useCommonWords();
  const code = error instanceof DragomanError ? error.code : 'internal';
  const title = code in words.errors ? words.errors[code as keyof typeof words.errors] : words.errors.title;
  return (
    <Notice
      tone="bad"
      title={title}
      action={
        onRetry !== undefined && (
          <Button size="small" onClick={onRetry}>
            {words.retry}
          </Button>
        )
      }
    >
      {error.message}
    </Notice>
  );
}
