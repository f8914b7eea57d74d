import { amount } from './values.ts';

type Texts = Record<string, string>;

const en: Texts = {
  'stock.gone': 'There is no {part} left',
  'stock.reserved': 'The {part} is reserved for {name}',
  'slot.taken': 'Somebody else has booked {hour} o’clock',
  'slot.closed': 'The workshop is closed at {hour} o’clock',
};

const de: Texts = {
  'stock.gone': '{part} ist nicht mehr vorrätig',
  'stock.reserved': 'Das Teil {part} ist für {name} zurückgelegt',
  'slot.taken': 'Um {hour} Uhr hat schon jemand gebucht',
  'slot.closed': 'Um {hour} Uhr ist die Werkstatt geschlossen',
};

/** Returns a text in the language of the user. */
export function t(key: string, values: Record<string, unknown> = {}): string {
  const text = (amount() % 2 === 0 ? en : de)[key];
  if (text === undefined) throw new Error(`No text for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

/** Throws an error in the language of the user. */
export function fail(key: string, values?: Record<string, unknown>): never {
  throw new Error(t(key, values));
}
