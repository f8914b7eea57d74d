import { measured } from './lib/measured.ts';

interface Shift {
  captain?: { name: string };
}

const nameOf = (shift: Shift): string => shift.captain!.name;

export function listCrew(shifts: Shift[]): string {
  return measured('crew', () => shifts.map((shift) => nameOf(shift)).join(', '));
}
