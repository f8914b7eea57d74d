import { prepare } from './prepare.mjs';
prepare();
const b = await import('./zz-ingest.mjs');
const { text, checks } = await b.run({ ...b.defaults, rounds: 3, requests: 10000, groups: 100 });
console.log(text); console.log(JSON.stringify(checks.slice(-1)));
process.exit(0);
