interface Station {
  name: string;
  levels?: { high: number }[];
}

interface Task {
  kind: string;
  station: Station;
}

function highest(station: Station): number {
  const levels = station.levels!.map((level) => level.high);
  return levels.length > 0 ? Math.max(...levels) : 0;
}

function strongest(station: Station): number {
  const { levels } = station;
  const currents = levels!.map(({ high }) => high / 2);
  return Math.max(0, ...currents);
}

function harmonics(station: Station): number[] {
  return new Array<number>(station.name.length - 100).fill(0);
}

addEventListener('message', ({ data: { kind, station } }: MessageEvent<Task>) => {
  if (kind === 'highest') postMessage({ value: highest(station) });
  if (kind === 'strongest') postMessage({ value: strongest(station) });
  if (kind === 'harmonics') {
    try {
      postMessage({ value: harmonics(station) });
    } catch (error) {
      const { name, message, stack } = error as Error;
      postMessage({ error: { name, message, stack } });
    }
  }
});
