interface Passenger {
  name: string;
  passport?: string;
}

interface Crossing {
  code: string;
  free: number;
}

export function checkIn(passenger: Passenger, crossing: Crossing): string {
  if (!passenger.passport) throw new Error(`Passenger ${passenger.name} has no passport`);
  if (crossing.free < 1) throw new Error(`Ferry ${crossing.code} is full`);
  crossing.free -= 1;
  return `${passenger.name}@${crossing.code}`;
}
