// Writes api.md and problems.md from the table of operations. A test fails if they are out of date.
import { writeFileSync } from 'node:fs';
import { loadReference } from './render.mjs';

for (const [name, text] of Object.entries(await loadReference())) writeFileSync(new URL(name, import.meta.url), text);
