interface Leg {
  harbor?: { city: string };
  hour: number;
}

export function Timetable({ legs }: { legs: Leg[] }) {
  return (
    <ol>
      {legs.map((leg) => (
        <li>
          {leg.harbor!.city} {leg.hour}:00
        </li>
      ))}
    </ol>
  );
}
