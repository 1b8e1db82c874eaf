import type { RequestInfo } from '@dragoman/protocol/console';
import { CircleCheck, CircleMinus, CircleX } from 'lucide-react';
import { memo } from 'react';
import { visibleText } from '../../../code/visible-text.ts';
import { useFormats } from '../../../words/formats.ts';
import { useLanguage } from '../../../words/language.ts';
import { gatewayWords, targetTitle } from '../gateway-words.ts';
import { callErrorTitle, problemWords, refusalTitle } from '../problem/problem-words.ts';
import { hasFailed } from './request-log.ts';
import { requestsWords } from './requests-words.ts';

const CLOCKS = {
  en: new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }),
  zh: new Intl.DateTimeFormat('zh-CN', { timeStyle: 'medium' }),
};

/** A row and what stands above them share their columns; on a phone most of them are gone, and beside the menu of a small screen who asked. */
export const REQUEST_COLUMNS =
  'grid-cols-[4.5rem_minmax(0,1fr)_auto] md:grid-cols-[4rem_minmax(0,1fr)_minmax(0,1.7fr)_5.5rem_3.5rem_3.5rem] xl:grid-cols-[4.5rem_minmax(0,1.5fr)_minmax(0,1.8fr)_minmax(0,1fr)_6rem_4.5rem_4rem]';

/** One request: when, how it ended, what was asked for and who answered, by whom, how much and how long. */
export const RequestRow = memo(function RequestRow({
  request,
  onOpen,
}: {
  request: RequestInfo;
  onOpen: (request: RequestInfo) => void;
}) {
  const words = requestsWords.use();
  const gateway = gatewayWords.use();
  const formats = useFormats();
  const language = useLanguage();
  const { at, userName, tokenName, target, route, inputTokens, outputTokens, costDollars, totalMs } = request;
  const tokens = inputTokens === undefined && outputTokens === undefined ? undefined : [inputTokens, outputTokens];
  return (
    <button
      type="button"
      onClick={() => onOpen(request)}
      className={`grid w-full ${REQUEST_COLUMNS} items-center gap-x-3 border-b border-line px-4 py-1.5 text-left text-xs -outline-offset-2 hover:bg-hover`}
    >
      <time dateTime={new Date(at).toISOString()} className="text-faint tabular-nums">
        {CLOCKS[language].format(at)}
      </time>
      <End request={request} />
      <span
        title={target === '' || target === route ? undefined : `${route} → ${target}`}
        className="contained order-last col-span-2 col-start-2 truncate font-mono text-soft md:order-none md:col-span-1 md:col-start-auto"
      >
        <span className="text-ink">{targetTitle(gateway, route)}</span>
        {target !== '' && target !== route && <span className="text-faint">{` → ${target}`}</span>}
        {target === '' && <Refusal request={request} />}
      </span>
      <span className="contained hidden truncate text-soft xl:block" title={`${userName} / ${tokenName}`}>
        {userName}
        <span className="text-faint">{` / ${tokenName}`}</span>
      </span>
      <span className="hidden text-right text-soft tabular-nums md:block">
        {tokens?.map((count) => formats.short(count ?? 0)).join(' → ') ?? '–'}
      </span>
      <span className="hidden text-right text-soft tabular-nums md:block">
        {costDollars !== undefined ? formats.dollars(costDollars) : tokens === undefined ? '–' : words.unknown}
      </span>
      <span className="text-right text-soft tabular-nums">
        <span className="sr-only">{`${words.fields.time} `}</span>
        {formats.duration(totalMs)}
      </span>
    </button>
  );
});

/** Why the gateway turned it away, behind the name that was asked for where there is one. */
function Refusal({ request: { route, failures } }: { request: RequestInfo }) {
  const why = failures?.at(-1)?.message;
  if (why === undefined) return null;
  return (
    <span className="font-sans" title={visibleText(why)}>
      {route === '' ? '' : ' · '}
      {visibleText(why)}
    </span>
  );
}

function End({ request }: { request: RequestInfo }) {
  const title = useEndTitle(request);
  const { icon: Icon, tone } = hasFailed(request)
    ? { icon: CircleX, tone: 'text-bad' }
    : request.finishReason === 'cancelled'
      ? { icon: CircleMinus, tone: 'text-faint' }
      : { icon: CircleCheck, tone: 'text-good' };
  return (
    <span className={`flex min-w-0 items-center gap-1.5 ${tone}`}>
      <Icon size={13} aria-hidden className="shrink-0" />
      <span className="truncate" title={title}>
        {title}
      </span>
    </span>
  );
}

/** How a request ended, in words. */
export function useEndTitle(request: RequestInfo): string {
  const words = requestsWords.use();
  const problems = problemWords.use();
  if (hasFailed(request)) {
    const titleOf = request.target === '' ? refusalTitle : callErrorTitle;
    const title = titleOf(problems, request.errorCode ?? '');
    const status = request.failures?.at(-1)?.status;
    return status === undefined ? title : `${title} · ${status}`;
  }
  const { finishReason } = request;
  return Object.hasOwn(words.ends, finishReason) ? words.ends[finishReason as keyof typeof words.ends] : finishReason;
}
