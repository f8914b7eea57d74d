interface Leg {
  harbor?: { city: string };
  hour: number;
}

const padded = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

export function Timetable({ legs }: { legs: Leg[] }) {
  return (
    <ol>
      {legs.map((leg) => (
        <li>
          <time>{padded(leg.hour)}</time> <b>{leg.harbor!.city}</b>
        </li>
      ))}
    </ol>
  );
}
