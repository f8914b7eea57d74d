import { limits } from '@service/protocol';
import { expect, test } from 'vitest';
import { StreamLimits } from '../../src/stream/stream-limits.ts';

/** Opens streams of one user, each with a new session, until one is rejected. Returns the functions that close them. */
function openAllOf(streams: StreamLimits, teamId: number, userId: number): (() => void)[] {
  const closes: (() => void)[] = [];
  try {
    for (;;) closes.push(streams.open({ teamId, userId, limitKey: `${userId} ${closes.length}` }));
  } catch {
    return closes;
  }
}

/** Opens streams of two members of a team, as `openAllOf` does. */
function openAll(streams: StreamLimits, teamId: number): (() => void)[] {
  return [...openAllOf(streams, teamId, 10 * teamId), ...openAllOf(streams, teamId, 10 * teamId + 1)];
}

test('greedy teams leave streams for others', () => {
  const streams = new StreamLimits();
  expect(openAll(streams, 1)).toHaveLength(limits.streamsPerTeam);
  expect(openAll(streams, 2)).toHaveLength(300);
  expect(openAll(streams, 3)).toHaveLength(limits.streamsOfSmallTeam);
  expect(() => streams.open({ teamId: 2, userId: 20, limitKey: 'another' })).toThrow('too many live streams');
  streams.open({ teamId: 4, userId: 40, limitKey: 'first' });
});

test('a greedy user leaves streams for the other members of the team', () => {
  const streams = new StreamLimits();
  expect(openAllOf(streams, 1, 11)).toHaveLength(limits.streamsPerUser);
  expect(() => streams.open({ teamId: 1, userId: 11, limitKey: 'another' })).toThrow('Your account has 1000');
  expect(openAllOf(streams, 1, 12)).toHaveLength(limits.streamsPerTeam - limits.streamsPerUser);
});

test('a server opens at most 2,000 streams', () => {
  const streams = new StreamLimits();
  let count = 0;
  for (let teamId = 1; teamId <= 40; teamId++) count += openAll(streams, teamId).length;
  expect(count).toBe(limits.streams);
});

test('a closed stream frees its slot for its session, its team and the server', () => {
  const streams = new StreamLimits();
  const closes = openAll(streams, 1);
  closes[0]?.();
  streams.open({ teamId: 1, userId: 10, limitKey: '10 0' });
  expect(() => streams.open({ teamId: 1, userId: 12, limitKey: 'another' })).toThrow('1200 live streams');
});
