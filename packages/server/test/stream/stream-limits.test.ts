import { limits } from '@service/protocol';
import { expect, test } from 'vitest';
import { StreamLimits } from '../../src/stream/stream-limits.ts';

/** Opens streams of a team, each with a new session, until one is refused. Returns the functions that close them. */
function openAll(streams: StreamLimits, teamId: number): (() => void)[] {
  const closes: (() => void)[] = [];
  try {
    for (;;) closes.push(streams.open(teamId, `${teamId} ${closes.length}`));
  } catch {
    return closes;
  }
}

test('greedy teams leave streams for others', () => {
  const streams = new StreamLimits();
  expect(openAll(streams, 1)).toHaveLength(limits.streamsPerTeam);
  expect(openAll(streams, 2)).toHaveLength(500);
  expect(openAll(streams, 3)).toHaveLength(limits.streamsOfSmallTeam);
  expect(() => streams.open(2, 'another')).toThrow('too many live streams');
  streams.open(4, 'first');
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
  streams.open(1, '1 0');
  expect(() => streams.open(1, 'another')).toThrow('1000 live streams');
});
