import { useMemo } from 'preact/hooks';

export function Queue({ cars }: { cars: { length: number; plates?: string[] } }) {
  return <p>{cars.plates!.join(' ')}</p>;
}

export function Weather({ wind }: { wind: number | string }) {
  const force = (wind as number).toFixed(1);
  return (
    <p>
      <b>Wind</b> {force}
    </p>
  );
}

/** Not a component: hooks have no place to be kept. */
export function averageOf(levels: number[]): number {
  return useMemo(() => levels.reduce((sum, level) => sum + level, 0) / levels.length, [levels]);
}
