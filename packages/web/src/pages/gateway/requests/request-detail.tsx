import type { CallFailure, RequestInfo } from '@dragoman/protocol/console';
import { visibleText } from '../../../code/visible-text.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { useFormats } from '../../../words/formats.ts';
import { gatewayWords, targetTitle } from '../gateway-words.ts';
import { callErrorTitle, problemWords, refusalTitle } from '../problem/problem-words.ts';
import { useEndTitle } from './request-row.tsx';
import { requestsWords } from './requests-words.ts';

/** Everything that is known of a request; its contents are not. */
export function RequestDetail({ request, onClose }: { request: RequestInfo; onClose: () => void }) {
  const words = requestsWords.use();
  const gateway = gatewayWords.use();
  const formats = useFormats();
  const end = useEndTitle(request);
  const { inputTokens, outputTokens, costDollars, firstEventMs, errorCode } = request;
  const total = formats.duration(request.totalMs);
  const rows: [keyof typeof words.fields, string][] = [
    ['end', errorCode === undefined ? end : `${end} (${errorCode})`],
    ['at', formats.moment(request.at)],
    ['route', targetTitle(gateway, request.route)],
    ['target', request.target === '' ? words.noModel : targetTitle(gateway, request.target)],
    ['attempts', formats.count(request.attempts)],
    ['time', firstEventMs === undefined ? total : words.firstAfter(formats.duration(firstEventMs), total)],
    [
      'tokens',
      inputTokens === undefined && outputTokens === undefined
        ? words.unknown
        : words.tokensInOut(formats.count(inputTokens ?? 0), formats.count(outputTokens ?? 0)),
    ],
    ['cost', costDollars === undefined ? words.unknown : formats.dollars(costDollars)],
    ['userName', request.userName],
    ['tokenName', request.tokenName],
    ['dialect', request.isStreamed ? `${request.dialect}, ${words.streamed}` : request.dialect],
    ['redactions', formats.count(request.redactions)],
    ['repairs', formats.count(request.repairs)],
    ['id', request.id],
  ];
  return (
    <Dialog isOpen onClose={onClose} title={words.detail}>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5 pb-3 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{words.fields[name]}</dt>
            <dd className="contained">{value}</dd>
          </div>
        ))}
      </dl>
      <Failures failures={request.failures ?? []} />
    </Dialog>
  );
}

/** What each target said instead of an answer. */
function Failures({ failures }: { failures: readonly CallFailure[] }) {
  const words = requestsWords.use();
  const formats = useFormats();
  const problems = problemWords.use();
  if (failures.length === 0) return null;
  return (
    <section className="flex flex-col gap-2 pb-3">
      <h3 className="text-sm font-semibold">{words.failures}</h3>
      <ol className="flex flex-col gap-2">
        {failures.map(({ target, code, status, message, ms }, index) => (
          <li key={index} className="rounded-md border border-line bg-raised px-3 py-2 text-sm">
            <p className="flex flex-wrap items-baseline gap-x-2 text-xs text-soft">
              <span className="contained font-mono text-ink">{target === '' ? 'Dragoman' : target}</span>
              <span>
                {status !== undefined
                  ? words.status(status)
                  : (target === '' ? refusalTitle : callErrorTitle)(problems, code)}
              </span>
              <span className="ml-auto tabular-nums">{formats.duration(ms)}</span>
            </p>
            <p className="contained pt-1 whitespace-pre-wrap">{visibleText(message)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
