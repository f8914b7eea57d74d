const depth = process.env.TEST_DEPTH;

/** `TEST_DEPTH=full`, of `npm run test:full`: thousands of seeds, hundreds of kills and projects that npm installs take hours. */
export const isFull = depth === 'full';

/** `TEST_DEPTH=ci`, or `full`: every engine, storage and tool once, which takes twice as long as `npm test`. */
export const isThorough = isFull || depth === 'ci';

if (depth && !isThorough) throw new Error(`TEST_DEPTH is ${depth}. It can be ci or full.`);
