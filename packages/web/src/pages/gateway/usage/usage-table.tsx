import type { UsageRow } from '@dragoman/protocol/console';
import { Panel } from '../../../design/page.tsx';
import { useFormats } from '../../../words/formats.ts';
import { tellCost } from './tell-cost.ts';
import { usageWords } from './usage-words.ts';

interface UsageTableProps {
  caption: string;
  /** What a row is about. */
  head: string;
  rows: readonly UsageRow[];
  nameOf?: (key: string) => string;
  /** The first column is a name of something, not a word. */
  isCode?: boolean;
}

const NUMBER = 'px-3 py-1.5 text-right tabular-nums whitespace-nowrap';

/** Usage in rows. On a phone it scrolls in its own box, the names staying in sight. */
export function UsageTable({ caption, head, rows, nameOf = (key) => key, isCode = false }: UsageTableProps) {
  const words = usageWords.use();
  const formats = useFormats();
  const shareOf = ({ cacheShare }: UsageRow) => (cacheShare === undefined ? '–' : formats.percent(cacheShare));
  const latencyOf = (latency: UsageRow['totalMs']) =>
    latency === undefined ? '–' : `${formats.duration(latency.median)} / ${formats.duration(latency.p95)}`;
  return (
    <Panel className="overflow-hidden">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard */}
      <div className="shows-more-right max-h-96 overflow-auto" role="region" aria-label={caption} tabIndex={0}>
        <table className="w-full border-separate border-spacing-0 text-xs">
          <thead>
            <tr className="text-faint [&>th]:sticky [&>th]:top-0 [&>th]:border-b [&>th]:border-line [&>th]:bg-panel [&>th]:font-medium">
              <th scope="col" className="left-0 z-10 px-4 py-1.5 text-left">
                {head}
              </th>
              <th scope="col" className={NUMBER}>
                {words.cost}
              </th>
              <th scope="col" className={NUMBER}>
                {words.calls}
              </th>
              <th scope="col" className={NUMBER}>
                {words.failed}
              </th>
              <th scope="col" className={NUMBER}>
                {words.inputTokens}
              </th>
              <th scope="col" className={NUMBER} title={words.cacheShareAbout}>
                {words.cacheShare}
              </th>
              <th scope="col" className={NUMBER}>
                {words.outputTokens}
              </th>
              <th scope="col" className={NUMBER} title={words.medianAndP95}>
                {words.firstToken}
              </th>
              <th scope="col" className={NUMBER} title={words.medianAndP95}>
                {words.totalTime}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} className="[&>*]:border-b [&>*]:border-line last:[&>*]:border-b-0">
                <th
                  scope="row"
                  title={nameOf(row.key)}
                  className={`sticky left-0 max-w-40 truncate bg-panel px-4 py-1.5 text-left font-normal sm:max-w-80 ${isCode ? 'font-mono' : ''}`}
                >
                  {nameOf(row.key)}
                </th>
                <td className={NUMBER}>{tellCost(row, words, formats.dollars)}</td>
                <td className={NUMBER}>{formats.count(row.calls)}</td>
                <td className={`${NUMBER} ${row.errors > 0 ? 'text-bad' : 'text-faint'}`}>
                  {formats.count(row.errors)}
                </td>
                <td className={NUMBER}>{formats.count(row.inputTokens)}</td>
                <td className={NUMBER}>{shareOf(row)}</td>
                <td className={NUMBER}>{formats.count(row.outputTokens)}</td>
                <td className={NUMBER}>{latencyOf(row.firstEventMs)}</td>
                <td className={NUMBER}>{latencyOf(row.totalMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
