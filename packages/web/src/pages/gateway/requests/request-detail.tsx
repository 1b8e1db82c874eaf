import type { RequestInfo } from '@dragoman/protocol/console';
import { Dialog } from '../../../design/dialog.tsx';
import { useFormats } from '../../../words/formats.ts';
import { useEndTitle } from './request-row.tsx';
import { requestsWords } from './requests-words.ts';

/** Everything that is known of a request; its contents are not. */
export function RequestDetail({ request, onClose }: { request: RequestInfo; onClose: () => void }) {
  const words = requestsWords.use();
  const formats = useFormats();
  const end = useEndTitle(request);
  const { inputTokens, outputTokens, costDollars, firstEventMs, errorCode } = request;
  const total = formats.duration(request.totalMs);
  const rows: [keyof typeof words.fields, string][] = [
    ['end', errorCode === undefined ? end : `${end} (${errorCode})`],
    ['at', formats.moment(request.at)],
    ['route', request.route],
    ['target', request.target === '' ? words.noModel : request.target],
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
    </Dialog>
  );
}
