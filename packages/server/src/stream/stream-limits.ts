import { limits } from '@service/protocol';
import { ProblemError } from '../problem.ts';

const limitRetrySeconds = 10;

/** Who opens a stream. */
export interface StreamOwner {
  teamId: number;
  userId: number;
  /** The session or token that the stream counts for. */
  limitKey: string;
}

/** Limits the open streams of the server, of each team, of each user and of each session or token. */
export class StreamLimits {
  #total = 0;
  readonly #byTeam = new Map<number, number>();
  readonly #byUser = new Map<number, number>();
  readonly #bySession = new Map<string, number>();

  /**
   * Counts a stream. Returns a function that frees its slot and must be called once. Throws `too_many_requests` if one
   * of the limits is reached.
   */
  open({ teamId, userId, limitKey }: StreamOwner): () => void {
    const ofSession = this.#bySession.get(limitKey) ?? 0;
    if (ofSession >= limits.streamsPerSession)
      throw tooManyStreams(
        `This session or token has ${limits.streamsPerSession} live streams open. Close one of them.`,
      );
    const ofUser = this.#byUser.get(userId) ?? 0;
    if (ofUser >= limits.streamsPerUser)
      throw tooManyStreams(`Your account has ${limits.streamsPerUser} live streams open. Close some of them.`);
    const ofTeam = this.#byTeam.get(teamId) ?? 0;
    if (ofTeam >= limits.streamsPerTeam)
      throw tooManyStreams(`This team has ${limits.streamsPerTeam} live streams open. Close some of them.`);
    // The last slots are for teams with few streams, so that one team can't take all.
    const free = limits.streams - this.#total;
    if (free <= (ofTeam >= limits.streamsOfSmallTeam ? limits.streamsForSmallTeams : 0))
      throw tooManyStreams('The server has too many live streams open. Try again later.');
    this.#bySession.set(limitKey, ofSession + 1);
    this.#byUser.set(userId, ofUser + 1);
    this.#byTeam.set(teamId, ofTeam + 1);
    this.#total++;
    return () => {
      decrement(this.#bySession, limitKey);
      decrement(this.#byUser, userId);
      decrement(this.#byTeam, teamId);
      this.#total--;
    };
  }
}

function decrement<Key>(counts: Map<Key, number>, key: Key): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

function tooManyStreams(detail: string): ProblemError {
  return new ProblemError('too_many_requests', detail, { retryAfterSeconds: limitRetrySeconds });
}
