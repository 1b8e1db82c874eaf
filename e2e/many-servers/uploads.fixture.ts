import { blobName } from '@dragoman/context';
import type { ManyServers } from './many-servers.fixture.ts';
import { post, untilAcknowledged } from './until-acknowledged.fixture.ts';

/** A question is about this many of the files that were uploaded last. */
const ASKED_ABOUT = 50;

/** Files that are uploaded, and questions about them, which may reach another server. */
export class Uploads {
  /** The names of those that a server said it has. */
  readonly accepted: string[] = [];
  /** Answers that leave out a file that was uploaded before the question. */
  readonly wrongAnswers: string[] = [];
  #count = 0;
  readonly #servers: ManyServers;

  constructor(servers: ManyServers) {
    this.#servers = servers;
  }

  /** Uploads a file, and asks for it. */
  async uploadAndAsk(): Promise<void> {
    const number = ++this.#count;
    const word = `lighthouse${number}keeper`;
    const path = `src/keeper-${number}.ts`;
    const content = `/** Keeps lighthouse ${number}. */\nexport function ${word}(): number {\n  return ${number};\n}\n`;
    const name = blobName(path, content);
    const blobs = [{ blob_name: name, path, content }];
    const { blob_names } = await this.#ask<{ blob_names: string[] }>('/batch-upload', { blobs });
    this.accepted.push(...blob_names);

    const asked = { information_request: `Where is ${word}?`, blobs: this.accepted.slice(-ASKED_ABOUT) };
    const answer = await this.#ask<{ formatted_retrieval: string }>('/agents/codebase-retrieval', asked);
    if (!answer.formatted_retrieval.includes(`function ${word}()`))
      this.wrongAnswers.push(`${word}: ${answer.formatted_retrieval}`);
  }

  /** What the servers do not have, or cannot find, of everything that they said they have. */
  async missing(): Promise<{ unknown_memory_names: string[]; nonindexed_blob_names: string[] }> {
    return this.#ask('/find-missing', { mem_object_names: this.accepted });
  }

  #ask<Answer>(path: string, body: object): Promise<Answer> {
    return untilAcknowledged(() => post<Answer>(this.#servers, path, body));
  }
}
