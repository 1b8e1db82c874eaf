/** A call of a model that is tried again after a while. */
export interface RetryNotice {
  /** Which try comes next, and how many there are in all. */
  attempt: number;
  attempts: number;
  waitMs: number;
  isRateLimited: boolean;
  /** What went wrong. */
  message: string;
  /** The agent that tries, where it is one that another called. */
  agent?: string | undefined;
}

const WRITTEN =
  /^(?:(?<agent>[^\s:]+): )?(?<limit>Rate limited\. )?Retrying in (?<wait>\d+) s \(attempt (?<attempt>\d+) of (?<attempts>\d+)\): (?<message>[^]*)$/;

/** What people are told of it, wherever they are. */
export function writeRetry({ attempt, attempts, waitMs, isRateLimited, message, agent }: RetryNotice): string {
  const who = agent === undefined ? '' : `${agent}: `;
  const why = isRateLimited ? 'Rate limited. ' : '';
  return `${who}${why}Retrying in ${Math.ceil(waitMs / 1000)} s (attempt ${attempt} of ${attempts}): ${message}`;
}

/** What a notice tells of a try to come; nothing where it tells something else. */
export function readRetry(text: string): RetryNotice | undefined {
  const found = WRITTEN.exec(text)?.groups;
  if (found === undefined) return undefined;
  return {
    attempt: Number(found['attempt']),
    attempts: Number(found['attempts']),
    waitMs: Number(found['wait']) * 1000,
    isRateLimited: found['limit'] !== undefined,
    message: found['message'] ?? '',
    ...(found['agent'] !== undefined && { agent: found['agent'] }),
  };
}
