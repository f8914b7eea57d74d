import { measured } from './lib/measured.ts';

interface Shift {
  captain?: { name: string };
}

const nameOf = (shift: Shift): string => {
  const { captain } = shift;
  return captain!.name.trim();
};

export function listCrew(shifts: Shift[]): string {
  return measured('crew', () => shifts.map((shift) => nameOf(shift)).join(', '));
}
