import type { Stats } from 'node:fs';
import { DragomanError } from '@dragoman/protocol';
import { DEFAULT_MAX_BLOB_BYTES, formatLeftOut } from '../filter/check-content.ts';
import { type LayerVerdict, PathFilter, type PathFilterOptions } from '../filter/path-filter.ts';
import { type PathType } from '../filter/path-info.ts';
import { lookAt } from '../pipeline/look-at.ts';
import { readBlob, type ReadBlobResult } from './read-blob.ts';

export interface PathExplanation {
  path: string;
  accepted: boolean;
  /** `Accepted`, or why not, in one sentence. */
  reason: string;
  /** What is left out: the path itself, or the first folder on the way to it. */
  leftOut: string | undefined;
  /** What each layer says about `leftOut` or, when nothing is, about the path itself. */
  layers: LayerVerdict[];
  /** The one of them that has the last word; none where nobody objects. */
  decidedBy: LayerVerdict | undefined;
}

const CONTENT_LAYER = 'content';

/** Every folder on the way is asked about with the whole way to it. */
const MOST_LEVELS = 100;

/** Why a path (relative to the root, with `/`) is indexed or not, for a person who wonders. */
export function explainPath(
  root: string,
  path: string,
  options: PathFilterOptions & { maxBytes?: number | undefined } = {},
): PathExplanation {
  const filter = new PathFilter(root, options);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..'))
    return { path, accepted: false, reason: 'Outside the folder', leftOut: path, layers: [], decidedBy: undefined };
  if (names.length > MOST_LEVELS)
    throw new DragomanError(
      'bad-request',
      `The path is more than ${MOST_LEVELS} folders deep; ask about a folder above it.`,
    );
  let layers: LayerVerdict[] = [];
  let folder = '';
  let type: PathType = 'Directory';
  for (const [index, name] of names.entries()) {
    const at = folder === '' ? name : `${folder}/${name}`;
    const isLast = index === names.length - 1;
    type = typeOf(lookAt(`${root}/${at}`), isLast);
    const local = filter.makeLocalFilter(folder);
    const info = local.getPathInfo(name, type);
    layers = local.explain(name, type);
    if (!info.accepted) {
      const decidedBy = layers.findLast(({ layer, verdict }) => layer === info.layer && verdict === 'left out');
      return { path, accepted: false, reason: info.format(), leftOut: at, layers, decidedBy };
    }
    if (!isLast && type !== 'Directory') break;
    folder = at;
  }
  const takenBack = layers.findLast(({ verdict }) => verdict === 'taken back');
  if (type === 'Directory')
    return { path, accepted: true, reason: 'Accepted', leftOut: undefined, layers, decidedBy: takenBack };
  const content = checkFile(root, names.join('/'), options.maxBytes ?? DEFAULT_MAX_BLOB_BYTES);
  const accepted = content.verdict === 'passes';
  return {
    path,
    accepted,
    reason: accepted ? 'Accepted' : content.reason,
    leftOut: accepted ? undefined : names.join('/'),
    layers: [...layers, content],
    decidedBy: accepted ? takenBack : content,
  };
}

function checkFile(root: string, path: string, maxBytes: number): LayerVerdict {
  const blob = readOrSay(root, path, maxBytes);
  switch (blob.leftOut) {
    case undefined:
      return { layer: CONTENT_LAYER, verdict: 'passes', reason: `Text of ${blob.size} bytes` };
    case 'gone':
      return { layer: CONTENT_LAYER, verdict: 'left out', reason: blob.reason };
    case 'too-large': {
      const size = lookAt(`${root}/${path}`)?.size ?? 0;
      const reason = `${formatLeftOut(blob.leftOut)}: ${size} bytes; the limit is ${maxBytes}`;
      return { layer: CONTENT_LAYER, verdict: 'left out', reason };
    }
    case 'not-utf8':
      return { layer: CONTENT_LAYER, verdict: 'left out', reason: `${formatLeftOut(blob.leftOut)}: not UTF-8` };
    default:
      return { layer: CONTENT_LAYER, verdict: 'left out', reason: formatLeftOut(blob.leftOut) };
  }
}

/** A file in a folder that may not be entered cannot even be looked at. */
function readOrSay(root: string, path: string, maxBytes: number): ReadBlobResult {
  try {
    return readBlob(root, path, { maxBytes });
  } catch {
    return { leftOut: 'unreadable', reason: formatLeftOut('unreadable') };
  }
}

/** What is not there is taken for what it would have to be. */
function typeOf(stats: Stats | undefined, isLast: boolean): PathType {
  if (!stats) return isLast ? 'File' : 'Directory';
  return stats.isFile() ? 'File' : stats.isDirectory() ? 'Directory' : 'Other';
}
