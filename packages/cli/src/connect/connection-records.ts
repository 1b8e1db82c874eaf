import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '@dragoman/server/base';
import type { ChangeStep } from './plan-change.ts';

/** What has to be known to take a connection back. */
export interface ConnectionRecord {
  client: string;
  url: string;
  model: string;
  connectedAt: number;
  tokenId: string;
  /** How its token begins, which is no secret: that is what it is found by. */
  tokenStart: string;
  /** Whether the token is one of another machine's server. */
  isRemote: boolean;
  files: RecordedFile[];
}

export interface RecordedFile {
  path: string;
  isNew: boolean;
  /** Its permissions before; absent where it was not there. */
  mode?: number;
  steps: ChangeStep[];
}

/** Stands where the token stood. */
const TOKEN = '{the token}';

/** The ways back, in a folder that only the owner reads. They hold what was replaced, and not the token. */
export class ConnectionRecords {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = join(dataFolder, 'connections');
  }

  /** Undefined where the client is not connected. */
  read(client: string): ConnectionRecord | undefined {
    try {
      return JSON.parse(readFileSync(this.#path(client), 'utf8')) as ConnectionRecord;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  write(record: ConnectionRecord, token: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    replaceFile(this.#path(record.client), JSON.stringify(record, null, 2).replaceAll(token, TOKEN), 0o600);
  }

  remove(client: string): void {
    rmSync(this.#path(client), { force: true });
  }

  #path(client: string): string {
    return join(this.#folder, `${client}.json`);
  }
}

/** The token of a connection, where one of the texts of its files still holds it. */
export function findToken({ tokenStart }: ConnectionRecord, texts: readonly string[]): string | undefined {
  const pattern = new RegExp(`${tokenStart}[A-Z2-7]+`);
  return texts.map((text) => pattern.exec(text)?.[0]).find((found) => found !== undefined);
}

/** The record with the token in its steps. */
export function withToken(record: ConnectionRecord, token: string): ConnectionRecord {
  return JSON.parse(JSON.stringify(record).replaceAll(TOKEN, token)) as ConnectionRecord;
}
