import { describe, expect, test } from 'vitest';
import { similarityOf, type ListedFacts } from '../../src/grouping/similarity.ts';

const facts = (message: string, culprit: string | null, type = 'Error'): ListedFacts => ({ type, message, culprit });

/** For each app: an error, the same error after a change of the message or the code, and two other errors. */
const apps = {
  library: {
    error: facts('Copy 4711 is not on a shelf', 'Desk.lend (src/lending.ts)'),
    reworded: facts('Copy 4712 is not on this shelf of ours', 'Desk.lend (src/lending.ts)'),
    extracted: facts('Copy 12 is not on a shelf', 'findCopy (src/lending.ts)'),
    moved: facts('Copy 12 is not on a shelf', 'Desk.lend (src/desk/lend.ts)'),
    other: facts('Reader 7 owes a fee', 'Desk.lend (src/lending.ts)'),
    elsewhere: facts('Copy 4711 is not on a shelf', 'Inventory.count (src/inventory.ts)'),
  },
  greenhouse: {
    error: facts("Cannot read properties of undefined (reading 'humidity')", 'readBed (src/beds.ts)', 'TypeError'),
    reworded: facts("undefined is not an object (evaluating 'bed.humidity')", 'readBed (src/beds.ts)', 'TypeError'),
    extracted: facts("Cannot read properties of null (reading 'humidity')", 'averageOf (src/beds.ts)', 'TypeError'),
    moved: facts('can\'t access property "humidity", bed is undefined', 'readBed (src/beds/read.ts)', 'TypeError'),
    other: facts("Cannot read properties of undefined (reading 'pressure')", 'readBed (src/beds.ts)', 'TypeError'),
    elsewhere: facts("Cannot read properties of undefined (reading 'humidity')", 'draw (src/chart.ts)', 'TypeError'),
  },
};

describe.each(Object.entries(apps))('in the app of a %s', (_, { error, ...groups }) => {
  test.each(['reworded', 'extracted', 'moved'] as const)('suggests the group of the error when it was %s', (change) => {
    expect(similarityOf(error, groups[change])).not.toBeNull();
    expect(similarityOf(groups[change], error)).toBe(similarityOf(error, groups[change]));
  });

  test('suggests neither another error of the function nor an error of another file with the same message', () => {
    expect(similarityOf(error, groups.other)).toBeNull();
    expect(similarityOf(error, groups.elsewhere)).toBeNull();
  });
});

test("the reason of a suggestion is 'location' if only the messages differ, and otherwise 'fault'", () => {
  const { library, greenhouse } = apps;
  expect(similarityOf(library.error, library.reworded)).toBe('location');
  expect(similarityOf(library.error, library.moved)).toBe('fault');
  expect(similarityOf(greenhouse.error, greenhouse.reworded)).toBe('fault');
});

test('suggests no group whose message is too short', () => {
  expect(
    similarityOf(facts('Not found', 'lend (src/lending.ts)'), facts('Not found', 'pay (src/lending.ts)')),
  ).toBeNull();
  expect(similarityOf(facts('', null), facts('', null))).toBeNull();
});

test('compares culprits with encoded paths, which earlier versions stored, with readable ones', () => {
  const encoded = facts('Copy 4711 is not on a shelf', 'checkout (src/gr%C3%B6%C3%9Fe.ts)');
  expect(similarityOf(encoded, facts('Copy 4712 is not on this shelf of ours', 'checkout (src/größe.ts)'))).toBe(
    'location',
  );
  expect(similarityOf(encoded, facts('Copy 12 is not on a shelf', 'findCopy (src/größe.ts)'))).toBe('fault');
});

test('finds the function of a culprit whose path contains parentheses', () => {
  const copied = facts('Copy 4711 is not on a shelf', 'checkout (src/my (copy)/cart.ts)');
  expect(similarityOf(copied, facts('Copy 12 is not on a shelf', 'checkout (src/cart.ts)'))).toBe('fault');
});
