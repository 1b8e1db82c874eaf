/** How people use it. */
export interface Usage {
  users: number;
  /** Which share of them is at work in each hour of a day. */
  activeShare: readonly number[];
  /** Sessions with a living agent for each of those. */
  sessionsPerUser: number;
  promptsPerHour: number;
  /** Model calls of a turn, and how long each takes. */
  callsPerTurn: number;
  secondsPerCall: number;
  /** Pieces that a call streams. */
  piecesPerCall: number;
  /** What an agent says or does with each call, as a session shows it. */
  messagesPerCall: number;
  /** Pieces of it that come one by one, beyond those that come together. */
  piecesPerMessage: number;
  readersPerSession: number;
  questionsPerTurn: number;
  /** Source that is new to the index, for each of them. */
  indexedMbPerHour: number;
  /** Repositories that are asked about, and how large each is. */
  usersPerRepository: number;
  repositoryMb: number;
}

/** A company whose people work with agents all day: most from nine to six, a few at night. */
export const OFFICE: Usage = {
  users: 10_000,
  activeShare: [
    0.01, 0.01, 0.01, 0.01, 0.01, 0.02, 0.05, 0.12, 0.22, 0.3, 0.35, 0.33, 0.22, 0.3, 0.35, 0.33, 0.3, 0.22, 0.12, 0.08,
    0.06, 0.04, 0.03, 0.02,
  ],
  sessionsPerUser: 2,
  promptsPerHour: 12,
  callsPerTurn: 15,
  secondsPerCall: 8,
  piecesPerCall: 100,
  messagesPerCall: 3,
  piecesPerMessage: 10, // What is for tools comes whole: of 100 pieces people see some thirty come.
  readersPerSession: 1.2,
  questionsPerTurn: 1,
  indexedMbPerHour: 0.5,
  usersPerRepository: 20,
  repositoryMb: 50,
};

/** The share at work in the hour in which most are. */
export function busiestShare({ activeShare }: Usage): number {
  return Math.max(...activeShare);
}

/** Sessions with a living agent, and who reads them, in the busiest hour. */
export function liveAtPeak(usage: Usage): { sessions: number; readers: number } {
  const sessions = usage.users * busiestShare(usage) * usage.sessionsPerUser;
  return { sessions, readers: sessions * usage.readersPerSession };
}
