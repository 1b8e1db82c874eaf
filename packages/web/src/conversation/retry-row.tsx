import type { RetryNotice } from '@dragoman/protocol';
import { Notice } from '../design/notice.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { useFormats } from '../words/formats.ts';
import { useServerSentence } from '../words/server-sentences.ts';
import { conversationWords } from './conversation-words.ts';
import { useSeconds } from './elapsed.tsx';

/** A call of the model that is tried again, and when. */
export function RetryRow({ retry, since }: { retry: RetryNotice; since: number }) {
  const words = conversationWords.use();
  const formats = useFormats();
  const sentence = useServerSentence();
  const leftMs = Math.min(retry.waitMs, since + retry.waitMs - useSeconds());
  const when = leftMs < 1000 ? undefined : formats.wholeSeconds(leftMs);
  const title = words.retrying(when, retry.attempt, retry.attempts);
  return (
    <Notice tone="warn" title={retry.isRateLimited ? `${words.rateLimited}${title}` : title}>
      <Markdown text={sentence(retry.message)} keepsLines className="text-sm" />
    </Notice>
  );
}
