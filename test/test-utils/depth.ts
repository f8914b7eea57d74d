const depth = process.env.TEST_DEPTH;

/** `TEST_DEPTH=full`, as `npm run test:full` sets it: 1,000 seeds, 200 kills and fresh projects, which take hours. */
export const isFull = depth === 'full';

/** `TEST_DEPTH=ci`, or `full`: every engine, storage and tool once, which takes twice as long as `npm test`. */
export const isThorough = isFull || depth === 'ci';

if (depth && !isThorough) throw new Error(`TEST_DEPTH is ${depth}. It can be ci or full.`);
