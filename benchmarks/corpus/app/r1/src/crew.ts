interface Shift {
  captain?: { name: string };
}

const nameOf = (shift: Shift): string => shift.captain!.name;

export function listCrew(shifts: Shift[]): string {
  return shifts.map(nameOf).join(', ');
}
