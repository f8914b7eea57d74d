const { globSync, rmSync } = require('node:fs');

for (const map of globSync('.next/static/**/*.map')) rmSync(map);
