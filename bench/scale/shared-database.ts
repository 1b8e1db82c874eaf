import { readFileSync } from 'node:fs';
import { startPostgres, type TestPostgres } from '../../testkit/src/postgres.ts';
import { runSql } from '../../testkit/src/store-location.ts';

/** One real PostgreSQL, which writes to the disk as it does for people. */
export class SharedDatabase {
  readonly #postgres: TestPostgres;
  #made = 0;

  static async start(): Promise<SharedDatabase> {
    return new SharedDatabase(await startPostgres({ isDurable: true }));
  }

  private constructor(postgres: TestPostgres) {
    this.#postgres = postgres;
  }

  /** The address of an empty database. */
  async makeEmpty(): Promise<string> {
    const name = `bench_${++this.#made}`;
    await runSql(`${this.#postgres.baseUrl}/postgres`, `create database ${name}`);
    return `${this.#postgres.baseUrl}/${name}`;
  }

  /** What all its processes have worked, those that ended included, in ms. */
  cpuMs(): number {
    const { pid } = this.#postgres;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return [String(pid), ...children].reduce((sum, of) => sum + readCpuMs(of), 0);
  }

  stop(): Promise<void> {
    return this.#postgres.stop();
  }
}

/** Of a process and its children that ended; one that ended just now has its time with its parent by then. */
function readCpuMs(pid: string): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  } catch {
    return 0;
  }
}
