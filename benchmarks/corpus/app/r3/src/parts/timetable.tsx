import { measuring } from '../lib/measured.ts';

interface Leg {
  harbor?: { city: string };
  hour: number;
}

const padded = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

export const Timetable = measuring('timetable', function Timetable({ legs }: { legs: Leg[] }) {
  return (
    <ol>
      {legs.map((leg) => (
        <li>
          <time>{padded(leg.hour)}</time> <b>{leg.harbor!.city}</b>
        </li>
      ))}
    </ol>
  );
});
