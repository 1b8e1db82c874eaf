import { formatLeftOut, type LeftOutCode } from '../filter/check-content.ts';
import type { FileCounter } from './file-metrics.ts';

/** Why a path of the pipeline has no blob, in words for a person. */
export function leftOutReason(code: LeftOutCode | 'gone'): string {
  return formatLeftOut(code === 'gone' ? 'unreadable' : code);
}

/** Where it is counted. */
export const LEFT_OUT_COUNTERS: Record<LeftOutCode | 'gone', FileCounter> = {
  'not-a-file': 'not plain files',
  unreadable: 'paths not accessible',
  gone: 'paths not accessible',
  'too-large': 'large files',
  binary: 'encoding errors',
  'not-utf8': 'encoding errors',
  'private-key': 'blob name calculation fails',
  'changed-while-read': 'blob name calculation fails',
};
