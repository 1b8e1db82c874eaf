import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { PathEntry } from './pipeline/path-map.ts';
import type { WorkspaceTables } from './workspace-tables.ts';

/** How many files are read in one turn. */
const PAGE = 5_000;
/** Times have fractions of milliseconds; times this they are whole numbers, unless they are of before 1973. */
const TIME_SCALE = 65_536;
const NUMBERS = 6;

interface PackedFiles {
  files: number;
  last: string;
  /** 1 where every number of the page survives the way. */
  is_exact: number;
  paths: string;
  blob_names: string;
  left_out: string;
  numbers: string;
}

/**
 * The files of a workspace, read from SQLite a page at a time with the columns of a page as one text each.
 *
 * Tens of thousands of rows are the first thing a warm start waits for, and most of that time goes into making a value of
 * each field: this way it is less than half. Undefined where numbers do not fit, as inodes of some file systems.
 */
export async function loadPackedFiles(
  db: Kysely<WorkspaceTables>,
  workspaceId: string,
): Promise<Map<string, PathEntry> | undefined> {
  const files = new Map<string, PathEntry>();
  for (let last = ''; ;) {
    const { rows } = await packedPage(workspaceId, last).execute(db);
    const page = rows[0]!;
    if (page.files === 0) return files;
    if (page.is_exact === 0) return undefined;
    last = page.last;
    unpack(page, files);
    await setImmediate();
  }
}

function packedPage(workspaceId: string, after: string) {
  const whole = (column: 'mtime' | 'ctime') => sql`cast(${sql.ref(column)} * ${sql.lit(TIME_SCALE)} as integer)`;
  return sql<PackedFiles>`
    select count(*) as files, max(path) as last,
      min(${whole('mtime')} = mtime * ${sql.lit(TIME_SCALE)} and ${whole('ctime')} = ctime * ${sql.lit(TIME_SCALE)}
        and inode < 9007199254740992) as is_exact,
      group_concat(path, char(0)) as paths,
      group_concat(coalesce(blob_name, ''), ',') as blob_names,
      group_concat(coalesce(left_out, ''), ',') as left_out,
      group_concat(size || ',' || ${whole('mtime')} || ',' || ${whole('ctime')} || ',' || cast(inode as integer)
        || ',' || is_settled || ',' || status, ',') as numbers
    from (
      select * from context_files where workspace_id = ${workspaceId} and path > ${after} order by path limit ${sql.lit(PAGE)}
    )`;
}

function unpack(page: PackedFiles, files: Map<string, PathEntry>): void {
  const blobNames = page.blob_names.split(',');
  const leftOut = page.left_out.split(',');
  const numbers = JSON.parse(`[${page.numbers}]`) as number[];
  for (const [index, path] of page.paths.split('\0').entries()) {
    const at = index * NUMBERS;
    files.set(path, {
      size: numbers[at]!,
      mtimeMs: numbers[at + 1]! / TIME_SCALE,
      ctimeMs: numbers[at + 2]! / TIME_SCALE,
      inode: numbers[at + 3]!,
      isSettled: numbers[at + 4] !== 0,
      blobName: blobNames[index]! === '' ? undefined : blobNames[index],
      leftOut: leftOut[index]! === '' ? undefined : (leftOut[index] as PathEntry['leftOut']),
      status: numbers[at + 5]!,
    });
  }
}
