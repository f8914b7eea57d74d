interface Passenger {
  name: string;
  passport?: string;
}

interface Crossing {
  code: string;
  free: number;
}

export function checkIn(passenger: Passenger, crossing: Crossing): string {
  const { name, passport } = passenger;
  if (!passport) throw new Error(`Passenger ${name} has no valid passport`);
  if (crossing.free < 1) throw new Error(`Ferry ${crossing.code} is full`);
  crossing.free -= 1;
  return `${name}@${crossing.code}`;
}
