import { MessageSquareText, X } from 'lucide-react';
import { Button } from '../../../design/button.tsx';
import { IconButton } from '../../../design/icon-button.tsx';
import { sideWords } from './side-words.ts';
import type { ReviewState } from './use-review.ts';

/** Takes the comments to the agent. */
export function ReviewBar({ review }: { review: ReviewState }) {
  const words = sideWords.use();
  return (
    <div className="shrink-0 space-y-2 border-t border-line bg-accent-wash p-2.5">
      <ul className="max-h-24 overflow-y-auto text-xs">
        {review.comments.map(({ id, path, line, text }) => (
          <li key={id} className="flex items-center gap-1.5">
            <span className="contained max-w-[50%] shrink-0 truncate font-mono text-soft" title={`${path}:${line}`}>
              {`${path.slice(path.lastIndexOf('/') + 1)}:${line}`}
            </span>
            <span className="contained min-w-0 flex-1 truncate" title={text}>
              {text}
            </span>
            <IconButton
              label={words.removeComment}
              icon={<X size={12} aria-hidden />}
              className="size-6"
              onClick={() => review.remove(id)}
            />
          </li>
        ))}
      </ul>
      <Button
        look="primary"
        className="w-full"
        icon={<MessageSquareText size={15} aria-hidden />}
        onClick={review.send}
      >
        {words.sendComments(review.comments.length)}
      </Button>
    </div>
  );
}
